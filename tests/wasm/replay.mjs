// Replays recordings in WebAssembly: node replay.mjs MODULE.wasm RECORDING...
// Ends with 1 if the hash of any tick differs from the recorded one.
import { readFileSync } from "node:fs";

const [module, ...recordings] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, space_for, replay, words, length_of_words } = instance.exports;

let ticks = 0;
for (const recording of recordings) {
  const bytes = readFileSync(recording);
  const at = space_for(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const done = replay();
  if (done < 1) {
    const why = done < 0 ? new Uint8Array(memory.buffer, words(), length_of_words()) : [];
    console.error(`${recording}: ${new TextDecoder().decode(new Uint8Array(why)) || "it has no ticks"}`);
    process.exit(1);
  }
  ticks += done;
}
if (ticks === 0) {
  console.error("no recording was given");
  process.exit(1);
}
console.log(`${recordings.length} recordings, ${ticks} ticks: every hash is the same in WebAssembly`);
