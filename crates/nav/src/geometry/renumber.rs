//! New numbers for those of many vertices that are in use.

/// New numbers, in the order in which the old ones are first asked for.
#[derive(Debug)]
pub(crate) struct Renumbering {
    of_old: Vec<Option<u32>>,
    count: u32,
}

impl Renumbering {
    /// For old numbers below `count`.
    pub(crate) fn new(count: usize) -> Self {
        Self { of_old: vec![None; count], count: 0 }
    }

    /// The new number of an old one. Calls `first` where it is the first time.
    pub(crate) fn number(&mut self, old: u32, first: impl FnOnce()) -> u32 {
        let Self { of_old, count } = self;
        *of_old[old as usize].get_or_insert_with(|| {
            first();
            *count += 1;
            *count - 1
        })
    }
}
