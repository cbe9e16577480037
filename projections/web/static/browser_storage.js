// What a browser keeps for this tab ("session") or for all of the console ("local"), as JSON; a browser that keeps
// nothing has nothing.
const area = (name) => window[`${name}Storage`];

export function load(name, key) {
  try {
    return JSON.parse(area(name).getItem(key));
  } catch {
    return null;
  }
}

// A value of null is forgotten.
export function save(name, key, value) {
  try {
    if (value === null) area(name).removeItem(key);
    else area(name).setItem(key, JSON.stringify(value));
  } catch {
    // then until the page is left
  }
}

// Returns what was stored, once.
export function take(name, key) {
  const value = load(name, key);
  if (value !== null) save(name, key, null);
  return value;
}
