-- Teaches: a module that holds nothing but words. Change a line, save, and it is what they say next.
-- A conversation is a list; the guest whose turn it is at that table says the next line.
return {
  hearth = {
    "They say the old bridge is out again.",
    "It was out last spring, too.",
    "Somebody ought to mend it.",
    "Somebody always ought to.",
    "More wood on the fire, then?",
    "Let it burn down first.",
  },
  window = {
    "Is that snow?",
    "Only ash from the chimney.",
    "I could have sworn it was snow.",
    "In this month? Drink up.",
  },
}
