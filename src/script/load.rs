//! Loading Lua files: once, through `require`, and again in place as one transaction.

use super::api::ENVIRONMENT;
use super::error::{fail, load_problem};
use super::host::{Arrivals, Host};
use super::modules::{Module, entries, forward, refill};
use super::schedule::Schedule;
use crate::problem::{Problem, Source, did_you_mean};
use crate::project::FileError;
use crate::world::World;
use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How things were before a reload, to go back to.
pub(super) struct Undo {
    modules: Vec<(String, Option<Saved>)>,
    /// What the files' own lines did beside defining functions: timers set, characters spawned, doors opened.
    world: World,
    schedule: Schedule,
    arrivals: Arrivals,
}

struct Saved {
    module: Module,
    entries: Vec<(Value, Value)>,
    metatable: Option<Table>,
}

/// Loads a behaviour for the first time. If that fails, an empty behaviour stands in until a save repairs it.
///
/// # Errors
/// What is wrong with it, with its place.
pub(super) fn load_first(lua: &Lua, host: &Host, path: &str) -> Result<(), Problem> {
    if host.modules.borrow().is_known(path) {
        return Ok(());
    }
    let loaded = compile(lua, host, path).and_then(|function| {
        let text = host.project.read_script(path).unwrap_or_default();
        run_chunk(lua, host, path, &function).map_err(|error| load_problem(path, &text, &error))
    });
    loaded.inspect_err(|_| stand_in(lua, host, path))
}

/// `require`, as scripts call it.
pub(super) fn require(lua: &Lua, host: &Host, name: &str) -> mlua::Result<Value> {
    let path = resolve(host, name);
    let (known, pending, cycle) = {
        let modules = host.modules.borrow();
        let cycle = modules.loading.iter().position(|other| *other == path).map(|from| {
            let round = modules.loading[from..].iter().chain([&path]);
            round.map(String::as_str).collect::<Vec<_>>().join(" → ")
        });
        (modules.is_known(&path), modules.pending.contains_key(&path), cycle)
    };
    if let Some(round) = cycle {
        return Err(fail(
            lua,
            format!("files require each other in a circle: {round}; move what both need into a third"),
        ));
    }
    {
        let mut modules = host.modules.borrow_mut();
        if let Some(requirer) = modules.loading.last().cloned()
            && let Some(module) = modules.all.get_mut(&requirer)
        {
            module.requires.insert(path.clone());
        }
    }
    if pending {
        let function = host.modules.borrow_mut().pending.remove(&path);
        if let Some(function) = function {
            run_chunk(lua, host, &path, &function)?;
        }
    } else if !known {
        let loaded = compile(lua, host, &path).map_err(|problem| fail_as_is(lua, name, &problem));
        let loaded = loaded.and_then(|function| run_chunk(lua, host, &path, &function));
        if loaded.is_err() {
            stand_in(lua, host, &path);
        }
        loaded?;
    }
    let modules = host.modules.borrow();
    match modules.all.get(&path) {
        Some(module) if module.good => Ok(module.value.clone()),
        _ => Err(fail(lua, format!("cannot require '{name}': {path} has an error"))),
    }
}

/// Reloads `changed` files and their dependents, and loads `new` ones, as one transaction. Returns what was reloaded and how
/// to undo it.
///
/// # Errors
/// Everything that is wrong; nothing has changed then.
pub(super) fn reload(
    lua: &Lua,
    host: &Host,
    changed: &BTreeSet<String>,
    new: &BTreeSet<String>,
) -> Result<(BTreeSet<String>, Undo), Vec<Problem>> {
    let mut affected = host.modules.borrow().with_dependents(changed);
    affected.extend(new.iter().filter(|path| !host.modules.borrow().is_known(path)).cloned());
    let compiled = compile_all(lua, host, &affected)?;
    let known_before: BTreeSet<String> = host.modules.borrow().all.keys().cloned().collect();
    let mut undo = Undo {
        modules: affected.iter().map(|path| (path.clone(), save(host, path))).collect(),
        world: host.world().clone(),
        schedule: host.schedule.borrow().clone(),
        arrivals: host.arrivals.borrow().clone(),
    };
    {
        let mut modules = host.modules.borrow_mut();
        modules.pending = compiled;
        modules.failed = None;
    }
    loop {
        let next = host.modules.borrow_mut().pending.pop_first();
        let Some((path, function)) = next else { break };
        let ran = run_chunk(lua, host, &path, &function);
        // A script may have caught the failure of what it requires: the file is broken all the same.
        let failed = host.modules.borrow_mut().failed.take().or_else(|| ran.err().map(|error| (path, error)));
        if let Some((path, error)) = failed {
            let text = host.project.read_script(&path).unwrap_or_default();
            let mut modules = host.modules.borrow_mut();
            modules.pending.clear();
            let appeared = modules.all.keys().filter(|path| !known_before.contains(*path));
            undo.modules.extend(appeared.map(|path| (path.clone(), None)));
            drop(modules);
            undo.restore(host);
            return Err(vec![load_problem(&path, &text, &error)]);
        }
    }
    Ok((affected, undo))
}

/// Compiles files without running them.
///
/// # Errors
/// What is wrong in all of them.
pub(super) fn compile_all(
    lua: &Lua,
    host: &Host,
    paths: &BTreeSet<String>,
) -> Result<BTreeMap<String, Function>, Vec<Problem>> {
    let (mut compiled, mut problems) = (BTreeMap::new(), Vec::new());
    for path in paths {
        match compile(lua, host, path) {
            Ok(function) => drop(compiled.insert(path.clone(), function)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(compiled) } else { Err(problems) }
}

impl Undo {
    /// Puts everything back as it was.
    pub(super) fn restore(self, host: &Host) {
        *host.world_mut() = self.world;
        *host.schedule.borrow_mut() = self.schedule;
        *host.arrivals.borrow_mut() = self.arrivals;
        for (path, saved) in self.modules {
            let Some(saved) = saved else {
                host.modules.borrow_mut().all.remove(&path);
                continue;
            };
            if let Some(table) = saved.module.value.as_table() {
                refill(table, &saved.entries, saved.metatable);
            }
            host.modules.borrow_mut().all.insert(path, saved.module);
        }
    }
}

fn save(host: &Host, path: &str) -> Option<Saved> {
    let module = host.modules.borrow().all.get(path).cloned()?;
    let (entries, metatable) = match module.value.as_table() {
        Some(table) => (entries(table), table.metatable()),
        None => (Vec::new(), None),
    };
    Some(Saved { module, entries, metatable })
}

fn compile(lua: &Lua, host: &Host, path: &str) -> Result<Function, Problem> {
    let text = host.project.read_script(path).map_err(|error| missing(host, path, &error))?;
    let environment: Option<Table> = lua.named_registry_value(ENVIRONMENT).ok();
    let chunk = lua.load(&text).set_name(format!("@{path}")).set_mode(ChunkMode::Text);
    let chunk = match environment {
        Some(environment) => chunk.set_environment(environment),
        None => chunk,
    };
    chunk.into_function().map_err(|error| load_problem(path, &text, &error))
}

/// Runs a module's chunk and puts what it returns where the module's users have it.
fn run_chunk(lua: &Lua, host: &Host, path: &str, function: &Function) -> mlua::Result<()> {
    {
        let mut modules = host.modules.borrow_mut();
        modules.loading.push(path.to_owned());
        let module = modules.all.entry(path.to_owned());
        module
            .or_insert(Module { value: Value::Nil, requires: BTreeSet::new(), good: false })
            .requires
            .clear();
    }
    // What an earlier load of this file set up, this load sets up again.
    host.schedule.borrow_mut().drop_timers(|timer| timer.loading.as_deref() == Some(path));
    let result = function.call::<Value>(()).map_err(|error| host.explain(error));
    let mut modules = host.modules.borrow_mut();
    modules.loading.pop();
    let fresh = result.inspect_err(|error| {
        modules.failed.get_or_insert_with(|| (path.to_owned(), error.clone()));
    })?;
    let Some(module) = modules.all.get_mut(path) else { return Ok(()) };
    match (&module.value, fresh) {
        (_, Value::Nil | Value::Boolean(_)) => {
            let message =
                format!("{path}:1: a script must return its table of functions; end it with `return NAME`");
            return Err(mlua::Error::RuntimeError(message));
        }
        (Value::Table(old), Value::Table(fresh)) if *old != fresh => {
            let metatable = fresh.metatable();
            refill(old, &entries(&fresh), metatable);
            forward(lua, &fresh, old)?;
        }
        (_, fresh) => module.value = fresh,
    }
    module.good = true;
    Ok(())
}

/// An empty behaviour in the place of one that cannot be loaded, so that a later save can fill it.
fn stand_in(lua: &Lua, host: &Host, path: &str) {
    let mut modules = host.modules.borrow_mut();
    let empty = Module { value: Value::Nil, requires: BTreeSet::new(), good: false };
    let module = modules.all.entry(path.to_owned()).or_insert(empty);
    module.good = false;
    if module.value.is_nil()
        && let Ok(table) = lua.create_table()
    {
        module.value = Value::Table(table);
    }
}

/// The path that `require "name"` means: project-relative, with dots or slashes, under `scripts/` if it is not found at once.
fn resolve(host: &Host, name: &str) -> String {
    let path = match name {
        _ if name.ends_with(".lua") => name.to_owned(),
        _ if name.contains('/') => format!("{name}.lua"),
        _ => format!("{}.lua", name.replace('.', "/")),
    };
    let under_scripts = format!("scripts/{path}");
    let exists = |path: &str| host.project.resolve(path).is_ok_and(|path| path.is_file());
    if exists(&path) || path.starts_with("scripts/") || !exists(&under_scripts) && path.contains("..") {
        path
    } else {
        under_scripts
    }
}

fn missing(host: &Host, path: &str, error: &FileError) -> Problem {
    let problem = Source::new(path, "").problem_at_line(1, None, error.to_string());
    let folder = host.project.root().join(path);
    let siblings = folder.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut names: Vec<String> = siblings
        .map(|files| files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    let wanted = path.rsplit('/').next().unwrap_or(path);
    match did_you_mean(wanted, names.iter().map(String::as_str)) {
        Some(name) if *error == FileError::Missing && name != wanted => {
            problem.with_hint(format!("did you mean '{name}'?"))
        }
        _ => problem,
    }
}

fn fail_as_is(lua: &Lua, name: &str, problem: &Problem) -> mlua::Error {
    if problem.message.contains("no such file") || problem.message.contains("out of the project") {
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        return fail(lua, format!("cannot require '{name}' ({}): {}{hint}", problem.file, problem.message));
    }
    mlua::Error::RuntimeError(format!("{}:{}: {}", problem.file, problem.line, problem.message))
}
