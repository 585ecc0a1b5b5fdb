// What the reader has chosen; a link (#segment=17&systems=A,B&metric=bleu) restores it.
const state = {
  systems: [], metric: 0, order: "", text: "", regex: false, kind: "",
  shortest: "", longest: "", lowest: "", highest: "", segment: null,
};
const FREE = ["order", "text", "kind", "shortest", "longest", "lowest", "highest"];

// The segments that decide the difference come first; on a page without influences, those that differ most.
function defaultOrder() {
  return influences ? "influence" : "gap";
}

function resetState() {
  Object.assign(state, { order: defaultOrder(), text: "", regex: false, kind: "", shortest: "", longest: "", lowest: "", highest: "" });
}

function writeFragment() {
  const parts = [];
  const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
  if (page.set) add("set", page.set);
  if (state.segment !== null) add("segment", state.segment + 1);
  parts.push(`systems=${state.systems.map((system) => encodeURIComponent(page.systems[system])).join(",")}`);
  add("metric", page.metrics[state.metric].label);
  for (const name of FREE) if (state[name] !== "" && !(name === "order" && state.order === defaultOrder())) add(name, state[name]);
  if (state.regex) add("regex", "1");
  return `#${parts.join("&")}`;
}

function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// Reads a fragment into the state; false if it is a plain anchor or nothing, or names only the test set.
function readFragment(fragment) {
  const parts = fragment.replace(/^#/, "").split("&").filter((part) => part.includes("=") && !part.startsWith("set="));
  if (!parts.length) return false;
  resetState();
  state.segment = null;
  for (const part of parts) {
    const [name, value = ""] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
    readPart(name, value);
  }
  return true;
}

function readPart(name, value) {
  if (name === "systems") {
    const found = value.split(",").map((each) => page.systems.indexOf(decode(each))).filter((each) => each >= 0);
    if (found.length) state.systems = [...new Set(found)];
  } else if (name === "metric") {
    const found = page.metrics.findIndex((each) => each.label === decode(value));
    if (found >= 0) state.metric = found;
  } else if (name === "segment") {
    const number = Number.parseInt(value, 10);
    if (number >= 1 && number <= nSegments) state.segment = number - 1;
  } else if (name === "regex") {
    state.regex = value === "1";
  } else if (FREE.includes(name)) {
    state[name] = decode(value);
  }
}
