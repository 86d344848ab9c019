// The review page. Texts of documents and models become text nodes only, never markup.
"use strict";

const PAGE = 200; // questions in the list before "Show more"
const DONE = new Set(["accepted", "edited", "rejected"]);
const at = (id) => document.getElementById(id);
const filters = ["status", "type", "document", "search", "doubts"];

let items = [];
let shown = PAGE;
let current = null; // the id of the open item
let full = null; // all of the open item
let editing = false;
let busy = false;
const EVERY = 5000; // milliseconds between two looks at what others decided

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  const reply = await response.json();
  if (!response.ok) throw Object.assign(new Error(reply.error), { changed: response.status === 409 });
  return reply;
}

async function guarded(work) {
  try {
    at("message").textContent = "";
    await work();
  } catch (error) {
    at("message").textContent = `Not saved: ${error.message}`;
    if (error.changed) await learn();
  }
}

function matching() {
  const wanted = Object.fromEntries(["status", "type", "document"].map((id) => [id, at(id).value]));
  const words = at("search").value.toLowerCase();
  return items.filter((item) =>
    (!wanted.status || item.status === wanted.status || item.id === current)
    && (!wanted.type || item.type === wanted.type)
    && (!wanted.document || item.documents.includes(wanted.document))
    && (!at("doubts").checked || item.doubts.length > 0)
    && item.question.toLowerCase().includes(words));
}

function draw() {
  const found = matching();
  const rows = found.slice(0, shown).map((item) => {
    const row = element("li", undefined, item.status);
    const button = element("button", item.question);
    button.type = "button";
    button.dataset.id = item.id;
    button.setAttribute("aria-current", String(item.id === current));
    const told = [item.status, item.type, item.difficulty, ...item.doubts.map((d) => `? ${d}`)];
    button.append(element("small", told.filter(Boolean).join(" · ")));
    button.addEventListener("click", () => open(item.id));
    row.append(button);
    return row;
  });
  at("list").replaceChildren(...rows);
  at("more").hidden = found.length <= shown;
  at("count").textContent = `${found.length} of ${items.length}`;
  const done = items.filter((item) => DONE.has(item.status)).length;
  at("bar").max = Math.max(items.length, 1);
  at("bar").value = done;
  at("progress").textContent = `${done} of ${items.length} reviewed`;
}

function choices(id, values) {
  const options = [...new Set(values)].filter(Boolean).sort().map((value) => element("option", value));
  at(id).append(...options);
}

async function open(id) {
  if (editing) return;
  current = id;
  draw();
  const found = await ask(`api/items/${encodeURIComponent(id)}`);
  if (current !== id) return; // another one was opened meanwhile
  full = found;
  at("item").hidden = false;
  at("item").dataset.id = id;
  const difficulty = full.difficulty_by ? `${full.difficulty} (${full.difficulty_by})` : full.difficulty;
  const facts = [full.status, full.type, full.kind, full.topic, full.expected_behaviour, difficulty];
  at("facts").textContent = facts.filter(Boolean).join(" · ");
  at("turns").replaceChildren(...full.turns.map((t) => element("p", `${t.role}: ${t.content}`)));
  fill();
  at("reason").value = "";
  at("history").replaceChildren(...full.history.map((made) => {
    const why = made.reason ? `: ${made.reason}` : "";
    return element("li", `${made.reviewer || "somebody"}, ${made.action}${why}`);
  }));
  at("evidence").replaceChildren(...full.evidence.flatMap(evidence));
  at("negatives").hidden = full.hard_negatives.length === 0;
  at("found").replaceChildren(...full.hard_negatives.flatMap((entry) =>
    [element("h3", `${entry.doc_id} (found by ${entry.found_by})`), element("div", entry.quote, "document")]));
  at("checks").replaceChildren(...Object.entries(full.checks).map(check));
  for (const block of at("evidence").querySelectorAll(".document")) {
    const first = block.querySelector("mark");
    if (first) block.scrollTop = first.offsetTop - 60;
  }
  const row = document.querySelector("#list [aria-current=true]");
  if (row) row.scrollIntoView({ block: "nearest" });
}

function fill() {
  at("question").value = full.question;
  at("reference").value = full.reference;
  at("newtype").replaceChildren(...full.types.map((type) => element("option", type)));
  at("newtype").value = full.type;
  at("quotes").replaceChildren(...full.gold.flatMap((group, number) =>
    group.map((span) => quote(number + 1, span.doc_id, span.quote))));
}

function quote(part, docId, text) {
  const row = element("div", undefined, "quote");
  const number = element("input");
  Object.assign(number, { type: "number", min: 1, value: part });
  number.setAttribute("aria-label", "Part");
  const name = element("input");
  name.value = docId;
  name.setAttribute("aria-label", "Document");
  const remove = element("button", "Remove");
  remove.type = "button";
  remove.addEventListener("click", () => row.remove());
  const box = element("textarea");
  box.value = text;
  box.setAttribute("aria-label", "Quote");
  row.append(number, name, remove, box);
  return row;
}

function quotes() {
  const parts = new Map();
  for (const row of at("quotes").children) {
    const [number, name] = row.querySelectorAll("input");
    const sent = { doc_id: name.value, quote: row.querySelector("textarea").value };
    if (!sent.quote.trim()) continue;
    parts.set(number.value, [...(parts.get(number.value) || []), sent]);
  }
  return [...parts.keys()].sort((a, b) => a - b).map((key) => parts.get(key));
}

function evidence(entry) {
  const note = entry.exact ? "" : " (only the quotes: the document is not at hand, or has changed)";
  const block = element("div", undefined, "document");
  block.tabIndex = 0;
  block.append(...entry.pieces.map((piece) => {
    if (!piece.group) return document.createTextNode(piece.text);
    const mark = element("mark", piece.text);
    if (full.gold.length > 1) mark.title = `needed: part ${piece.group}`;
    return mark;
  }));
  const own = full.gold.flat().filter((span) => span.doc_id === entry.doc_id);
  const settings = new Set(own.map((span) => span.setting.join(" · ")).filter(Boolean));
  const above = [...settings].map((setting) => element("p", setting, "setting"));
  return [element("h3", entry.doc_id + note), ...above, block];
}

function check([name, found]) {
  const row = element("tr");
  const score = found.score === null ? "" : ` (${found.score})`;
  row.append(element("td", name), element("td", found.verdict + score, `verdict-${found.verdict}`),
    element("td", found.who), element("td", found.evidence));
  return row;
}

function put(row) {
  items = items.map((item) => (item.id === row.id ? row : item));
}

function step(by) {
  const ids = matching().map((item) => item.id);
  const next = ids[ids.indexOf(current) + by];
  if (next !== undefined) {
    shown = Math.max(shown, ids.indexOf(next) + 1);
    return open(next);
  }
  return open(current);
}

async function send(body, then) {
  if (busy) return; // a key held down must not decide on what nobody saw
  busy = true;
  await guarded(async () => {
    const own = { reviewer: at("reviewer").value, reason: at("reason").value };
    put(await ask("api/decisions", { ...body, ...own, seen: full.history.length }));
    await then();
  });
  busy = false;
}

function decide(action) {
  if (current !== null && full && full.id === current && !editing) {
    return send({ id: current, action }, () => step(1));
  }
}

function edit(on) {
  if (current === null || !full || busy) return;
  editing = on;
  for (const id of ["question", "reference"]) at(id).readOnly = !on;
  for (const id of ["save", "cancel", "editing"]) at(id).hidden = !on;
  for (const id of ["accept", "edit", "reject", "undo"]) at(id).hidden = on;
  if (on) {
    at("question").focus();
  } else {
    fill();
    document.activeElement.blur();
  }
}

function save() {
  const body = {
    id: current, action: "edit", question: at("question").value, reference: at("reference").value,
    type: at("newtype").value, gold: quotes(),
  };
  return send(body, () => {
    busy = false;
    edit(false);
    return open(current);
  });
}

async function undo() {
  if (busy || editing) return;
  busy = true;
  await guarded(async () => {
    const row = await ask("api/undo", { reviewer: at("reviewer").value });
    if (row === null) {
      at("message").textContent = "Nothing to undo";
      return;
    }
    put(row);
    await open(row.id);
  });
  busy = false;
}

// What others decided meanwhile: the list is drawn anew, and the open item, unless it is being edited.
async function learn() {
  const found = await ask("api/items");
  if (JSON.stringify(found) === JSON.stringify(items)) return;
  items = found;
  draw();
  const row = items.find((item) => item.id === current);
  if (!row || !full || full.id !== current || row.decisions === full.history.length) return;
  if (editing) {
    full.history = (await ask(`api/items/${encodeURIComponent(current)}`)).history;
    at("message").textContent += " Somebody decided on this question; your edit is not saved yet.";
  } else {
    const reason = at("reason").value;
    await open(current);
    at("reason").value = reason;
  }
}

const KEYS = {
  a: () => decide("accept"),
  r: () => decide("reject"),
  e: () => edit(true),
  u: undo,
  j: () => step(1),
  k: () => step(-1),
  "/": () => at("search").focus(),
};

document.addEventListener("keydown", (event) => {
  if (editing && event.key === "Escape") return edit(false);
  if (editing && event.key === "Enter" && (event.ctrlKey || event.metaKey)) return save();
  const typing = event.target.matches("input, select, textarea:not([readonly])");
  if (event.key === "Escape" && typing) return event.target.blur();
  if (typing || editing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

for (const id of filters) {
  at(id).addEventListener("input", () => {
    shown = PAGE;
    draw();
  });
}
at("accept").addEventListener("click", () => decide("accept"));
at("reject").addEventListener("click", () => decide("reject"));
at("edit").addEventListener("click", () => edit(true));
at("save").addEventListener("click", save);
at("cancel").addEventListener("click", () => edit(false));
at("undo").addEventListener("click", undo);
at("add").addEventListener("click", () => {
  const first = full.gold.length ? full.gold[0][0].doc_id : "";
  at("quotes").append(quote(full.gold.length + 1, first, ""));
});
at("reviewer").value = localStorage.getItem("reviewer") || "";
at("reviewer").addEventListener("input", () => localStorage.setItem("reviewer", at("reviewer").value));
setInterval(() => {
  if (!busy) learn().catch(() => {}); // the server may be stopped; the next save says so
}, EVERY);
at("more").addEventListener("click", () => {
  shown += PAGE;
  draw();
});

guarded(async () => {
  items = await ask("api/items");
  choices("status", ["auto", "accepted", "edited", "rejected", "stale"]);
  choices("type", items.map((item) => item.type));
  choices("document", items.flatMap((item) => item.documents));
  draw();
  const first = items.find((item) => !DONE.has(item.status)) || items[0];
  if (first) await open(first.id);
});
