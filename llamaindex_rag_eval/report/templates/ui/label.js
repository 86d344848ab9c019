'use strict';
// The label page. Texts of documents and models become text nodes only, never markup.
const at = (id) => document.getElementById(id);
const SAID = [null, true, false]; // of a claim: not looked at, supported, not supported
const WORDS = new Map([[null, 'not looked at'], [true, 'supported'], [false, 'not supported']]);
const buttons = [...document.querySelectorAll('[data-verdict]')];
let answer = null; // what is labelled
let verdict = null;
let claims = [];
let saved = false; // the judge's verdict is shown
let busy = false;

function element(name, text) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
}

async function post(name, body) {
  const response = await fetch(`api/${name}${location.search}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: at('by').value, ...body }),
  });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.error);
  return reply;
}

async function guarded(work) {
  if (busy) return;
  busy = true;
  try {
    at('message').textContent = '';
    await work();
  } catch (error) {
    at('message').textContent = `Not saved: ${error.message}`;
  } finally {
    busy = false;
  }
}

function drawState() {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.verdict === verdict));
  at('claims').hidden = claims.length === 0;
  at('claimlist').replaceChildren(...claims.map((said, number) => {
    const row = element('li');
    const button = element('button', WORDS.get(said));
    button.type = 'button';
    button.addEventListener('click', () => turn(number));
    row.append(button, element('span', answer.claims[number]));
    return row;
  }));
  at('save').firstChild.textContent = saved ? 'Next ' : 'Save ';
  at('judged').hidden = !saved;
}

function drawProgress(sentences) {
  at('progress').replaceChildren(...sentences.map((sentence) => element('p', sentence)));
}

function show(reply) {
  drawProgress(reply.progress);
  answer = reply.answer;
  at('answer').hidden = answer === null;
  at('done').hidden = answer !== null;
  if (answer === null) return;
  verdict = null;
  saved = false;
  claims = answer.claims.map(() => null);
  at('answer').dataset.id = answer.id;
  at('query').textContent = answer.query;
  at('response').textContent = answer.answer || '(empty)';
  at('reference').textContent = answer.reference || '(none)';
  at('why').value = '';
  at('shown').hidden = answer.contexts.length === 0;
  at('marked').hidden = !answer.contexts.flat().some(([, marked]) => marked);
  at('contexts').replaceChildren(...answer.contexts.map((parts) => {
    const row = element('li');
    row.tabIndex = 0;
    row.append(...parts.map(([text, marked]) => (marked ? element('mark', text) : text)));
    return row;
  }));
  drawState();
  window.scrollTo(0, 0);
}

function choose(word) {
  if (saved || answer === null) return;
  verdict = word;
  drawState();
}

function turn(number) {
  if (saved || number >= claims.length) return;
  claims[number] = SAID[(SAID.indexOf(claims[number]) + 1) % SAID.length];
  drawState();
}

async function save() {
  if (saved) {
    show(await post('next', {}));
    return;
  }
  if (answer === null) return;
  if (verdict === null) throw new Error('say first whether the answer is right');
  const reply = await post('label', { id: answer.id, verdict, why: at('why').value, claims });
  at('judge').replaceChildren(...reply.judge.map((said) =>
    element('li', `${said.metric}: ${said.score}${said.feedback ? ` – ${said.feedback}` : ''}`)));
  saved = true;
  drawProgress(reply.progress);
  drawState();
  at('judged').scrollIntoView({ block: 'nearest' });
}

async function undo() {
  const reply = await post('undo', {});
  if (reply.answer === null) throw new Error('there is no label of yours to take back');
  show(reply);
}

for (const button of buttons) button.addEventListener('click', () => choose(button.dataset.verdict));
at('save').addEventListener('click', () => guarded(save));
at('undo').addEventListener('click', () => guarded(undo));
at('by').addEventListener('change', () => guarded(async () => show(await post('next', {}))));
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const writing = event.target.tagName === 'INPUT';
  if (writing && event.key === 'Escape') event.target.blur();
  if (writing && event.key === 'Enter') event.target.blur();
  if (event.key === 'Enter' && event.target.tagName !== 'BUTTON' && event.target.id !== 'by') guarded(save);
  if (writing || event.key === 'Enter') return;
  const word = buttons.find((button) => button.dataset.verdict[0] === event.key);
  if (word) choose(word.dataset.verdict);
  else if (/^[1-9]$/.test(event.key)) turn(Number(event.key) - 1);
  else if (event.key === 'u') guarded(undo);
  else if (event.key === 'e') at('why').focus();
  else if (event.key === 'y') { at('by').focus(); at('by').select(); }
  else return;
  event.preventDefault();
});
guarded(async () => show(await post('next', {})));
