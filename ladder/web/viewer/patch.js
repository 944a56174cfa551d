// Applies the patches of a replay file; ladder/viewer/patch.py makes them and says what they mean.

/** What a patch makes of a value, which is left as it is. */
export function apply(before, patch) {
  if (!Array.isArray(patch)) return edited(before, patch);
  if (patch.length === 1) return patch[0];
  if (Array.isArray(before) && patch.length && patch.length % 3 === 0) return spliced(before, patch);
  throw new Error(`a patch of ${patch.length} elements does not fit`);
}

function edited(before, patch) {
  const names = Object.keys(patch);
  if (!names.length) return before;
  const copy = Array.isArray(before) ? [...before] : { ...before };
  for (const name of names) {
    const change = patch[name];
    if (Array.isArray(change) && !change.length) delete copy[name];
    else copy[name] = apply(copy[name], change);
  }
  return copy;
}

function spliced(before, patch) {
  const items = [];
  let done = 0;
  for (let n = 0; n < patch.length; n += 3) {
    items.push(...before.slice(done, patch[n]), ...patch[n + 2]);
    done = patch[n] + patch[n + 1];
  }
  items.push(...before.slice(done));
  return items;
}
