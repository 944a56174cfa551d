// Times in words.

/** A clock as people read it, from microseconds: 1:05.3. */
export function clock(micros) {
  const tenths = Math.floor(Math.max(0, micros) / 1e5);
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** How long something took, from microseconds: 34 ms, 2.5 s, 3 min 12 s. */
export function lasting(micros) {
  if (micros < 1e6) return `${Math.round(micros / 1e3)} ms`;
  if (micros < 60e6) return `${(micros / 1e6).toFixed(1)} s`;
  return `${Math.floor(micros / 60e6)} min ${Math.floor((micros % 60e6) / 1e6)} s`;
}
