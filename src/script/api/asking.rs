//! Common parts of the functions of specs: the running spec, and requests carried out between two ticks.

use super::entry::Call;
use super::sequences::sleep;
use crate::script::spec::{Request, Spec};
use crate::script::task::Wait;

/// The spec, while a test runs.
pub(super) fn running<'a>(call: &Call<'a>) -> mlua::Result<&'a Spec> {
    match call.host.spec() {
        Some(spec) if spec.running.get() => Ok(spec),
        _ => Err(call.fail("no test is running; it belongs in it(…) or before_each(…)")),
    }
}

/// Requests work between two ticks, and sleeps until it is done.
pub(super) fn ask(call: &Call<'_>, request: Request) -> mlua::Result<bool> {
    let spec = running(call)?;
    sleep(call, Wait::Outside)?;
    if let Some(task) = call.host.call.running.get().task {
        spec.requests.borrow_mut().push_back((task, request));
    }
    Ok(true)
}
