//! Reload of Lua modules in place, as one transaction: tables keep their identity, and get the content of the new
//! files.

use super::undo::Undo;
use crate::problem::Problem;
use crate::script::error::load_problem;
use crate::script::host::Host;
use crate::script::load::{LoadError, compile, run_chunk};
use crate::script::modules::{Compiled, Module};
use mlua::{Lua, Table};
use std::collections::{BTreeMap, BTreeSet};

/// Reloads `changed` files and their dependents, and loads `new` ones, as one transaction. Returns the
/// reloaded files and how to undo it. `state` is what scripts may change besides their modules; each file may
/// use what `refuel` gives.
///
/// # Errors
/// All problems; nothing has changed then.
pub(super) fn reload(
    lua: &Lua,
    host: &Host,
    changed: &BTreeSet<String>,
    new: &BTreeSet<String>,
    state: Option<Table>,
    refuel: impl Fn(),
) -> Result<(BTreeSet<String>, Undo), LoadError> {
    let mut affected = host.modules.borrow().with_dependents(changed);
    affected.extend(new.iter().filter(|path| !host.modules.borrow().is_known(path)).cloned());
    let compiled = compile_all(lua, host, &affected, changed).map_err(|problems| LoadError {
        problems,
        suspects: BTreeSet::new(),
        wanted: BTreeSet::new(),
    })?;
    // The snapshot is the host's own work: no limit may leave a table out.
    host.meter.pause();
    let undo = Undo::begin(lua, host, &affected, state);
    {
        let mut modules = host.modules.borrow_mut();
        modules.names.clear();
        modules.pending = compiled;
        modules.failed = None;
    }
    loop {
        let next = host.modules.borrow_mut().pending.pop_first();
        let Some((path, compiled)) = next else { return Ok((affected, undo)) };
        refuel();
        let ran = run_chunk(lua, host, &path, &compiled);
        // A script may have caught the error of a file it requires; the file is broken all the same.
        let failed = host.modules.borrow_mut().failed.take().or_else(|| ran.err().map(|error| (path, error)));
        if let Some((path, error)) = failed {
            let text = host.project.borrow().read_script(&path).unwrap_or_default();
            let problems = vec![load_problem(&path, &text, &error)];
            let mut modules = host.modules.borrow_mut();
            modules.pending.clear();
            let within: BTreeSet<String> = modules.failed_within.drain(..).collect();
            let suspects = modules.with_requirements(&within);
            let wanted = modules.paths().filter(|path| !undo.knew(path)).cloned().collect();
            drop(modules);
            // The limits that the file ran into must not stop the restoration.
            host.meter.pause();
            undo.restore(host);
            return Err(LoadError { problems, suspects, wanted });
        }
    }
}

/// Compiles files without running them; keeps the compiled form of files that are not `changed` and have no
/// error.
///
/// # Errors
/// The problems of all files.
pub(super) fn compile_all(
    lua: &Lua,
    host: &Host,
    paths: &BTreeSet<String>,
    changed: &BTreeSet<String>,
) -> Result<BTreeMap<String, Compiled>, Vec<Problem>> {
    let (mut compiled, mut problems) = (BTreeMap::new(), Vec::new());
    for path in paths {
        let as_before =
            host.modules.borrow().all.get(path).filter(|_| !changed.contains(path)).and_then(running);
        match as_before.map_or_else(|| compile(lua, host, path), Ok) {
            Ok(good) => drop(compiled.insert(path.clone(), good)),
            Err((problem, _)) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(compiled) } else { Err(problems) }
}

/// The compiled form of a module without errors.
fn running(module: &Module) -> Option<Compiled> {
    let (chunk, text) = (module.chunk.clone()?, module.text?);
    module.good.then_some(Compiled { chunk, text, strings: module.strings.clone(), bytes: 0 })
}
