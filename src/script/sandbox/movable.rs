//! Scripts may move from thread to thread, as all of a running room does.

use crate::script::Scripts;

// SAFETY: what keeps `Scripts` from being `Send` are reference counts (`Rc`, here and inside of mlua), cells, and the raw
// pointer to the Lua state. All owners of all of them are inside of the one `Scripts`:
// - Lua values, host functions and handles hold the `Host` and the state; they live in the state, in the `Host` or in
//   fields of `Scripts`. No function of `Scripts` returns one: what leaves is copied (`Datum`, `Answer`, `GameValue`,
//   `ScriptError`), or borrows `Scripts` and so keeps it from moving.
// - The world is `Send` and `Sync`. The `Host` has it while scripts run or are asked, and only the `World` is shared.
// - `Watchdog` shares atomics only.
// - The code of a game is `Send` by its bounds in `GameApi`.
// Neither Lua nor mlua without its feature `send` keeps data in thread-local storage or compares thread ids. Moving
// `Scripts` moves all owners at once. `&Scripts` cannot be shared, as it is not `Sync`: threads take turns with the lock of
// `ParkedScripts`, and nothing that one of them was answered is bound to `Scripts`.
unsafe impl Send for Scripts {}
