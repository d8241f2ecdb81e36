// Colours of characters: `#rrggbb`, and the darker rim that belongs to one.

const FALLBACK = '#9a7b56';
const RIM_PULL = [0x39, 0x27, 0x1d];

export function tintOf(person) {
  return /^#[0-9a-f]{6}$/i.test(person?.colour ?? '') ? person.colour : FALLBACK;
}

export function rimOf(tint) {
  const channels = RIM_PULL.map((dark, index) => {
    const value = parseInt(tint.slice(1 + index * 2, 3 + index * 2), 16);
    return Math.round((value + dark) / 2);
  });
  return `rgb(${channels.join(', ')})`;
}
