//! Loading Lua files for the first time: through `require`, or as a behaviour. `reload/in_place.rs` loads them again.

use super::error::{bug, caller, fail, load_problem};
use super::host::{ENVIRONMENT, Host};
use super::modules::{Compiled, TextHash, entries, forward, refill};
use super::parse::strings;
use super::sandbox::{SHARED_MARK, share};
use super::source::prepared;
use super::spec::Case;
use crate::problem::{Problem, Source, did_you_mean};
use crate::project::{FileError, Project};
use crate::room::MAX_NAME_BYTES;
use mlua::chunk::ChunkMode;
use mlua::{Lua, Table, Value};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a reload was rejected.
#[non_exhaustive]
pub struct LoadError {
    /// All problems.
    pub problems: Vec<Problem>,
    /// The files that may be involved: those being loaded, and those they require.
    pub suspects: BTreeSet<String>,
    /// Files that were requested and are not part of the room yet.
    pub wanted: BTreeSet<String>,
}

/// Loads a behaviour for the first time. If that fails, an empty behaviour takes its place until a save
/// repairs it.
///
/// # Errors
/// The problem, with its place.
pub(super) fn load_first(lua: &Lua, host: &Host, path: &str) -> Result<(), Problem> {
    if !host.modules.borrow().is_known(path) {
        let ran = load(lua, host, path, 0)?;
        ran.map_err(|error| {
            let text = host.project.borrow().read_script(path).unwrap_or_default();
            load_problem(path, &text, &error)
        })?;
    }
    not_a_behaviour(host, path).map_or(Ok(()), Err)
}

/// The problem of a behaviour that is valid as a module but is not a table.
pub(super) fn not_a_behaviour(host: &Host, path: &str) -> Option<Problem> {
    let modules = host.modules.borrow();
    let module = modules.all.get(path).filter(|module| module.good && !module.value.is_table())?;
    let found = module.value.type_name();
    let message =
        format!("a character or a room follows this script, so it must return a table, not {found}");
    Some(Source::new(path, "").problem_at_line(1, None, message))
}

/// The `require` of scripts.
pub(super) fn require(lua: &Lua, host: &Host, name: &str) -> mlua::Result<Value> {
    let path = resolve_charged(lua, host, name)?;
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
        let compiled = host.modules.borrow_mut().pending.remove(&path);
        if let Some(compiled) = compiled {
            run_chunk(lua, host, &path, &compiled)?;
        }
    } else if !known {
        let loaded =
            load(lua, host, &path, COMPILE_FUEL_PER_BYTE).map_err(|problem| fail_as_is(lua, name, &problem));
        if !matches!(loaded, Ok(Ok(()))) {
            blame_caller(lua, host, &path);
        }
        loaded??;
    }
    let is_unreadable = {
        let modules = host.modules.borrow();
        match modules.all.get(&path) {
            Some(module) if module.good => return Ok(module.value.clone()),
            found => found.is_some_and(|module| module.text.is_none()),
        }
    };
    if is_unreadable {
        host.charge(lua, FILE_COST)?;
        let read = host.project.borrow().read_script(&path);
        if let Err(error) = read {
            return Err(fail_as_is(lua, name, &missing(host, &path, &error)));
        }
    }
    Err(fail(lua, format!("cannot require '{name}': {path} has an error")))
}

/// Notes that the calling file requires one that failed, in a call and not while it was loading: once that one is mended,
/// the caller is loaded again, too.
fn blame_caller(lua: &Lua, host: &Host, path: &str) {
    let Some((file, _)) = caller(lua) else { return };
    if let Some(module) = host.modules.borrow_mut().all.get_mut(&file) {
        module.requires.insert(path.to_owned());
    }
}

/// Reads, compiles and runs a file outside of a reload. If that fails, an empty behaviour takes its place
/// until a save repairs it.
fn load(lua: &Lua, host: &Host, path: &str, fuel_per_byte: u64) -> Result<mlua::Result<()>, Problem> {
    let compiled = compile(lua, host, path);
    let text = compiled.as_ref().map_or_else(|(_, text)| *text, |compiled| Some(compiled.text));
    let ran = compiled.map_err(|(problem, _)| problem).map(|compiled| {
        host.charge(lua, compiled.bytes as u64 * fuel_per_byte)?;
        run_chunk(lua, host, path, &compiled)
    });
    log::debug!("loaded {path}{}", if matches!(ran, Ok(Ok(()))) { "" } else { ", which failed" });
    if !matches!(ran, Ok(Ok(()))) {
        stand_in(lua, host, path, text);
    }
    ran
}

/// Runs a file that is not a module, with these globals; of a spec only one test, if given.
///
/// # Errors
/// The problem, with its place.
pub(super) fn run_alone(
    lua: &Lua,
    host: &Host,
    path: &str,
    environment: Option<Table>,
    test: Option<&Case>,
) -> Result<(), Problem> {
    let compiled = compile_in(lua, host, path, environment, test).map_err(|(problem, _)| problem)?;
    let called = catch_unwind(AssertUnwindSafe(|| compiled.chunk.call::<Value>(())));
    let ran = called.unwrap_or_else(|panic| Err(mlua::Error::RuntimeError(bug(&*panic))));
    ran.map(drop).map_err(|error| {
        let text = host.project.borrow().read_script(path).unwrap_or_default();
        load_problem(path, &text, &host.explain(error))
    })
}

/// Instructions charged for compiling a byte, when a script asks for a file.
const COMPILE_FUEL_PER_BYTE: u64 = 4;

/// Compiles a file, or returns its problem and the text with that problem.
pub(super) fn compile(lua: &Lua, host: &Host, path: &str) -> Result<Compiled, (Problem, Option<TextHash>)> {
    compile_in(lua, host, path, lua.named_registry_value(ENVIRONMENT).ok(), None)
}

fn compile_in(
    lua: &Lua,
    host: &Host,
    path: &str,
    environment: Option<Table>,
    test: Option<&Case>,
) -> Result<Compiled, (Problem, Option<TextHash>)> {
    let source =
        host.project.borrow().read_script(path).map_err(|error| (missing(host, path, &error), None))?;
    let text = TextHash::of(&source);
    let source = match test {
        Some(case) => case.written.only_test_at(case.line, source),
        None => source,
    };
    let prepared = prepared(path, &source).map_err(|problem| (problem, Some(text)))?;
    let compile = |text: &str| {
        let chunk = lua.load(text).set_name(format!("@{path}")).set_mode(ChunkMode::Text);
        match environment.clone() {
            Some(environment) => chunk.set_environment(environment).into_function(),
            None => chunk.into_function(),
        }
    };
    // A file with the maximum number of variables has no room for the added one. Errors are reported for the
    // text as written.
    let compiled = compile(&prepared).or_else(|_| compile(&source));
    match compiled.map_err(|error| host.explain(error)) {
        Ok(chunk) => Ok(Compiled { chunk, text, strings: strings(&source).into(), bytes: source.len() }),
        Err(error) => Err((load_problem(path, &source, &error), Some(text))),
    }
}

/// Whether this is a table shared by all scripts, like `string`.
fn is_shared(value: &Value) -> bool {
    let metatable = value.as_table().and_then(Table::metatable);
    metatable.is_some_and(|metatable| metatable.raw_get::<bool>(SHARED_MARK).unwrap_or(false))
}

/// Runs a module's chunk and stores its result where the module's users have it.
pub(super) fn run_chunk(lua: &Lua, host: &Host, path: &str, compiled: &Compiled) -> mlua::Result<()> {
    {
        let mut modules = host.modules.borrow_mut();
        modules.loading.push(path.to_owned());
        let module = modules.all.entry(path.to_owned()).or_default();
        module.requires.clear();
        module.good = false;
        module.asleep = false;
        module.text = Some(compiled.text);
        module.strings = compiled.strings.clone();
        module.chunk = Some(compiled.chunk.clone());
    }
    // This load sets up again what an earlier load of the file set up.
    forget_loaded(host, |by| by == path);
    let called = catch_unwind(AssertUnwindSafe(|| compiled.chunk.call::<Value>(())));
    let result = called.unwrap_or_else(|panic| Err(mlua::Error::RuntimeError(bug(&*panic))));
    let result = result.map_err(|error| host.explain(error));
    let mut modules = host.modules.borrow_mut();
    let fresh = match result {
        Ok(Value::Nil | Value::Boolean(_)) => {
            let message = "a script must return its table of functions; end it with `return NAME`";
            Err(mlua::Error::RuntimeError(format!("{path}:1: {message}")))
        }
        other => other,
    };
    let within = modules.loading.clone();
    modules.loading.pop();
    let fresh = fresh.inspect_err(|error| {
        if modules.failed.is_none() {
            modules.failed = Some((path.to_owned(), error.clone()));
            modules.failed_within = within;
        }
    })?;
    let belongs_to_another =
        is_shared(&fresh) || modules.all.iter().any(|(other, module)| other != path && module.value == fresh);
    let Some(module) = modules.all.get_mut(path) else { return Ok(()) };
    module.value = match (fresh, &module.table) {
        (Value::Table(fresh), _) if belongs_to_another => Value::Table(fresh),
        (Value::Table(fresh), Some(first)) => {
            if *first != fresh {
                refill(first, &entries(&fresh), fresh.metatable());
                forward(lua, &fresh, first)?;
            }
            Value::Table(first.clone())
        }
        (Value::Table(fresh), None) => {
            module.table = Some(fresh.clone());
            Value::Table(fresh)
        }
        (other, _) => other,
    };
    module.good = true;
    match &module.value {
        Value::Table(table) if !belongs_to_another => share(lua, table, Some(path)),
        _ => Ok(()),
    }
}

/// Drops what will be set up again: by files while they load, or by an `on_reload`.
pub(super) fn forget_loaded(host: &Host, again: impl Fn(&str) -> bool) {
    host.schedule.borrow_mut().drop_loaded(&again);
    let ours = |loading: &Option<String>| loading.as_deref().is_some_and(&again);
    let any = host.arrivals.borrow().by_character.values().any(|subscription| ours(&subscription.loading));
    if any {
        host.arrivals_mut().by_character.retain(|_, subscription| !ours(&subscription.loading));
    }
}

/// Puts an empty behaviour in the place of one that cannot be loaded, so that a later save can fill it.
fn stand_in(lua: &Lua, host: &Host, path: &str, text: Option<TextHash>) {
    let mut modules = host.modules.borrow_mut();
    let module = modules.all.entry(path.to_owned()).or_default();
    module.good = false;
    module.asleep = false;
    module.text = text;
    if module.value.is_nil()
        && let Ok(table) = lua.create_table()
    {
        module.value = Value::Table(table.clone());
        module.table = Some(table);
    }
}

/// Instructions charged for a file search; for a name found before, far less.
const FILE_COST: u64 = 10_000;
const NAME_COST: u64 = 100;

/// Maximum files that scripts may request, missing ones included: each is remembered, in case it appears.
const MAX_MODULES: usize = 2000;

/// [`resolve`] with its charge; a module that exists is remembered until the next reload.
fn resolve_charged(lua: &Lua, host: &Host, name: &str) -> mlua::Result<String> {
    host.charge(lua, NAME_COST)?;
    if name.len() > MAX_NAME_BYTES || name.contains('\0') {
        return Err(fail(
            lua,
            format!("require: expected the name of a file, up to {MAX_NAME_BYTES} bytes long"),
        ));
    }
    if let Some(path) = host.modules.borrow().names.get(name) {
        return Ok(path.clone());
    }
    host.charge(lua, FILE_COST)?;
    if host.modules.borrow().all.len() >= MAX_MODULES {
        return Err(fail(
            lua,
            format!("require: {MAX_MODULES} files were asked for already, as many as may be"),
        ));
    }
    let path = resolve(host, name);
    let mut modules = host.modules.borrow_mut();
    if modules.is_known(&path) {
        modules.names.insert(name.to_owned(), path.clone());
    }
    Ok(path)
}

/// The path that `require "name"` means: project-relative, with dots or slashes, under `scripts/` if not
/// found directly.
fn resolve(host: &Host, name: &str) -> String {
    module_path(&host.project.borrow(), name)
}

/// [`resolve`], without a host.
pub(crate) fn module_path(project: &Project, name: &str) -> String {
    // `./lib` and `scripts//lib` are the same file as `lib` and `scripts/lib`, and so the same module.
    let plain = |part: &&str| !matches!(*part, "" | ".");
    let name = &match name.contains('/') {
        true => name.split('/').filter(plain).collect::<Vec<_>>().join("/"),
        false => name.to_owned(),
    };
    let path = match name {
        _ if name.ends_with(".lua") => name.to_owned(),
        _ if name.contains('/') => format!("{name}.lua"),
        _ => format!("{}.lua", name.replace('.', "/")),
    };
    let under_scripts = format!("scripts/{path}");
    let exists = |path: &str| project.resolve(path).is_ok_and(|path| project.has(&path));
    if exists(&path) || path.starts_with("scripts/") || !exists(&under_scripts) && path.contains("..") {
        path
    } else {
        under_scripts
    }
}

fn missing(host: &Host, path: &str, error: &FileError) -> Problem {
    let problem = Source::new(path, "").problem_at_line(1, None, error.to_string());
    let names = host.project.borrow().names_beside(path);
    let wanted = path.rsplit('/').next().unwrap_or(path);
    match did_you_mean(wanted, names.iter().map(String::as_str)) {
        Some(name) if *error == FileError::Missing && name != wanted => {
            problem.with_hint(format!("did you mean '{name}'?"))
        }
        _ => problem,
    }
}

fn fail_as_is(lua: &Lua, name: &str, problem: &Problem) -> mlua::Error {
    // These errors are about the name, not about a file's content.
    let of_the_name = ["no such file", "out of the project", "cannot be read"];
    if of_the_name.iter().any(|words| problem.message.contains(words)) {
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        return fail(lua, format!("cannot require '{name}' ({}): {}{hint}", problem.file, problem.message));
    }
    mlua::Error::RuntimeError(format!("{}:{}: {}", problem.file, problem.line, problem.message))
}
