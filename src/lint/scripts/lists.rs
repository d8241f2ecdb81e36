//! Lists with a nil in them: `#` and `table.unpack` may end at any nil, and Lua 5.5 ends at others than Lua 5.4.

use super::reader::Reader;
use crate::script::parse::{Expr, ExprKind, Item};

impl Reader<'_> {
    /// Whether an expression is `{...}`.
    pub(super) fn is_rest(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Table(items) => matches!(&items[..], [Item::Value(value)] if self.text(value) == "..."),
            _ => false,
        }
    }

    /// A nil that is written among the values of a list.
    pub(super) fn nil_in_list(&mut self, items: &[Item]) {
        let is_nil = |item: &&Item| matches!(item, Item::Value(value) if self.text(value) == "nil");
        let last =
            items.iter().rposition(|item| matches!(item, Item::Value(_)) && !is_nil(&item)).unwrap_or(0);
        let Some(Item::Value(value)) = items[..last].iter().find(is_nil) else { return };
        let problem = self.problem(&value.span, "a nil in a list may end it for `#` and `table.unpack`");
        self.find(problem.with_hint("write false in its place, or give the values names").as_warning());
    }

    /// The list whose length is asked for, or that is unpacked.
    pub(super) fn counted(&mut self, list: &Expr) {
        let is_rest = match &list.kind {
            ExprKind::Name(_, Some(local)) => {
                let is_fixed = self.script.chunk.locals.get(local.0).is_some_and(|it| !it.is_reassigned);
                is_fixed && self.rests.contains(local)
            }
            _ => self.is_rest(list),
        };
        if is_rest {
            let problem =
                self.problem(&list.span, "a nil among `...` may end this list for `#` and `table.unpack`");
            self.find(
                problem
                    .with_hint("use table.pack(...), whose `n` counts them all, or select(\"#\", ...)")
                    .as_warning(),
            );
        }
    }
}
