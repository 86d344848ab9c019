'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const two = data.names.length > 1;
  // The run that is held against the first, where there are several: the reader chooses.
  let last = two ? 1 : 0;
  const PAGE = 50;
  const byId = (id) => document.getElementById(id);

  // Everything a document, a question or an answer says goes through textContent: never as markup.
  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null && child !== ''));
    return node;
  };
  const text = (number) => data.texts[number];
  const unpack = (value) => {
    if (Array.isArray(value)) return value.map(unpack);
    if (value === null || typeof value !== 'object') return value;
    const keys = Object.keys(value);
    if (keys.length === 1 && keys[0] === 't' && Number.isInteger(value.t)) return text(value.t);
    return Object.fromEntries(keys.map((key) => [key, unpack(value[key])]));
  };
  const written = (score) => (score === null ? '–' : score.toFixed(3));
  const signed = (gap) => (Math.abs(gap) < 0.0005 ? '±0.000' : (gap > 0 ? '+' : '−') + Math.abs(gap).toFixed(3));

  // What one question comes to on the chosen metric.
  const scoreOf = (question, run, metric) => {
    const answer = question.runs[run];
    return answer === null ? [null, 'missing', 0, null] : answer.scores[metric];
  };
  const sign = (metric) => (data.metrics[metric].direction === 'lower' ? -1 : 1);
  const gapOf = (question, metric) => {
    const [a, b] = [scoreOf(question, 0, metric)[0], scoreOf(question, last, metric)[0]];
    return a === null || b === null ? null : b - a;
  };
  const anyStatus = (question, status) =>
    question.runs.some((answer) => answer && answer.scores.some((score) => score[1] === status));

  const filters = [
    ['all', 'all', () => true],
    ...(two
      ? [
          ['better', data.names.length === 2 ? `${data.names[1]} is better` : 'the compared one is better', (q, m) => sign(m) * (gapOf(q, m) ?? 0) > 1e-9],
          ['worse', data.names.length === 2 ? `${data.names[1]} is worse` : 'the compared one is worse', (q, m) => sign(m) * (gapOf(q, m) ?? 0) < -1e-9],
        ]
      : []),
    ['failed', 'with a failure', (q) => anyStatus(q, 'failed')],
    ['undefined', 'without a score on this metric', (q, m) => q.runs.some((_, r) => scoreOf(q, r, m)[0] === null)],
    ['unanswered', 'the pipeline broke', (q) => q.runs.some((answer) => answer && answer.error !== undefined)],
  ];
  // Where answers are lost: a filter for each cause and each mode.
  for (const button of document.querySelectorAll('button[data-ids]')) {
    const ids = new Set(JSON.parse(button.dataset.ids));
    const key = `lost:${filters.length}`;
    filters.push([key, button.dataset.label, (q) => ids.has(q.id)]);
    button.addEventListener('click', () => {
      byId('filter').value = key;
      update();
      byId('questions').scrollIntoView();
      byId('filter').focus({ preventScroll: true });
    });
  }
  const empty = (value) => (value === null ? Infinity : value);
  const orders = [
    ['asked', 'as asked', null],
    ['worst', 'worst first', (q, m) => empty(scoreOf(q, last, m)[0] === null ? null : sign(m) * scoreOf(q, last, m)[0])],
    ['best', 'best first', (q, m) => empty(scoreOf(q, last, m)[0] === null ? null : -sign(m) * scoreOf(q, last, m)[0])],
    ...(two ? [['change', 'largest change first', (q, m) => -Math.abs(gapOf(q, m) ?? -0)]] : []),
  ];

  // The list: filtered, ordered, a page at a time.
  const haystacks = data.questions.map((q) =>
    [q.id, text(q.query), text(q.reference), ...Object.values(q.kinds).map(String),
      ...q.runs.flatMap((answer) => (answer === null ? [] : [text(answer.response), ...answer.contexts.flatMap((c) => [text(c.text), c.doc])]))]
      .join('\n').toLowerCase());
  let found = [];
  let shown = 0;

  const update = () => {
    const metric = Number(byId('metric').value || 0);
    const keep = filters.find(([key]) => key === byId('filter').value)[2];
    const rank = orders.find(([key]) => key === byId('order').value)[2];
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    found = data.questions
      .map((question, number) => ({ question, number }))
      .filter(({ question, number }) => keep(question, metric) && words.every((word) => haystacks[number].includes(word)));
    if (rank) found.sort((x, y) => rank(x.question, metric) - rank(y.question, metric) || x.number - y.number);
    shown = 0;
    byId('list').replaceChildren();
    more();
  };
  const more = () => {
    const metric = Number(byId('metric').value || 0);
    for (const entry of found.slice(shown, shown + PAGE)) byId('list').append(item(entry, metric));
    shown = Math.min(shown + PAGE, found.length);
    byId('count').textContent =
      `${shown} of ${found.length} shown` + (found.length === data.questions.length ? '' : `, ${data.questions.length} in all`);
    byId('more').hidden = shown >= found.length;
  };

  const item = ({ question, number }, metric) => {
    const summary = el('summary', {}, el('span', { class: 'title', dir: 'auto' }, `${number + 1}. ${text(question.query)}`), chips(question, metric));
    const details = el('details', { class: 'item' }, summary);
    details.addEventListener('toggle', () => {
      if (details.open && details.childElementCount === 1) details.append(body(question));
    });
    return details;
  };
  const chips = (question, metric) => {
    const chip = (words, kind, title) => el('span', { class: `chip ${kind}`, title }, words);
    const parts = [];
    if (data.metrics.length) {
      question.runs.forEach((answer, run) => {
        const [score, status] = scoreOf(question, run, metric);
        const side = two ? (run === 0 ? 'a' : 'b') : '';
        parts.push(chip(score === null ? status : written(score), status === 'failed' ? 'bad' : side, `${data.names[run]}: ${data.metrics[metric].label}`));
      });
      const gap = two ? gapOf(question, metric) : null;
      if (gap !== null && Math.abs(gap) > 1e-9) {
        const way = data.metrics[metric].direction === 'neither' ? '' : sign(metric) * gap > 0 ? 'good' : 'bad';
        parts.push(chip(signed(gap), way, 'difference'));
      }
    }
    if (question.runs.some((answer) => answer && answer.error !== undefined)) parts.push(chip('no answer', 'bad', 'the pipeline broke'));
    return el('span', { class: 'chips' }, ...parts);
  };

  // One question, opened.
  const body = (question) => {
    const box = el('div', { class: 'body' });
    const kinds = Object.entries(question.kinds).map(([key, value]) => `${key}: ${value}`);
    box.append(el('p', { class: 'kinds', dir: 'auto' }, [`id: ${question.id}`, ...kinds].join(' · ')));
    if (text(question.reference)) box.append(el('h4', {}, 'Right answer'), block(text(question.reference)));
    box.append(...proof(question));
    const sides = question.runs.map((answer, run) => side(question, answer, run));
    box.append(el('div', { class: 'sides' }, ...sides));
    const { home } = byId('list').dataset; // of a page that `rag-eval ui` serves
    if (home !== undefined) box.append(el('p', {}, el('a', { href: `${home}question?id=${encodeURIComponent(question.id)}` }, 'This question through all runs')));
    return box;
  };
  const block = (words) => el('p', { class: 'text', dir: 'auto' }, words);

  // The gold evidence, each part under what a reader sees above it; alternatives have one number.
  const proof = (question) => {
    if (!question.gold.length) return [];
    const parts = new Set(question.gold.map((span) => span.part)).size;
    const spans = question.gold.map((span) => el('li', { dir: 'auto' },
      el('b', {}, [parts > 1 ? `part ${span.part}` : '', span.doc].filter(Boolean).join(' · ')),
      ...span.setting.map((line) => el('small', { dir: 'auto' }, text(line))),
      block(text(span.quote))));
    const title = question.gold.length > parts ? 'Evidence (of each part, any one will do)' : 'Evidence';
    return [el('h4', {}, title), el('ul', { class: 'proof' }, ...spans)];
  };

  const side = (question, answer, run) => {
    const box = el('div', { class: 'side' });
    if (two) box.append(el('h3', { class: run === 0 ? 'a' : 'b', dir: 'auto' }, data.names[run]));
    if (answer === null) {
      box.append(el('p', { class: 'words' }, 'This run was not asked this question.'));
      return box;
    }
    if (answer.error !== undefined) box.append(el('p', { class: 'failed', dir: 'auto' }, `The pipeline broke: ${text(answer.error)}`));
    const time = answer.latency === undefined ? '' : ` (${answer.latency.toFixed(2)} s)`;
    box.append(el('h4', {}, `Answer${time}`), block(text(answer.response) || '(empty)'));
    if (data.metrics.length) box.append(el('h4', {}, 'Scores'), scores(answer));
    const quotes = [];
    box.append(...evidence(answer, quotes));
    box.append(...contexts(question, answer, quotes));
    return box;
  };
  const scores = (answer) => {
    const rows = answer.scores.map(([score, status, words], metric) => {
      const said = status === 'scored' ? plain(text(words)) : text(words);
      return el('tr', {},
        el('th', { scope: 'row' }, data.metrics[metric].label),
        el('td', { class: 'n' }, status === 'scored' ? written(score) : status),
        el('td', { class: status === 'failed' ? 'words bad' : 'words', dir: 'auto' }, said));
    });
    return el('table', {}, el('tbody', {}, ...rows));
  };
  // "name is 0.5." repeats what the row says already; what follows is the note.
  const plain = (words) => words.replace(/^\S+ is -?[\d.e+-]+\.\s*/, '');

  const evidence = (answer, quotes) => {
    // Metrics that share a judgement share its list of claims: it is shown once, with all of them.
    const lists = new Map();
    const rest = new Map();
    const noted = (map, value, label, name) => {
      const key = JSON.stringify(value);
      if (!map.has(key)) map.set(key, { value, labels: [] });
      map.get(key).labels.push(name ? `${label}: ${name.replaceAll('_', ' ')}` : label);
    };
    answer.scores.forEach(([, , , packed], metric) => {
      if (packed === null) return;
      const value = unpack(packed);
      const groups = groupsOf(value);
      for (const [name, claims] of groups) noted(lists, claims, data.metrics[metric].label, name);
      if (groups.length === 0) noted(rest, value, data.metrics[metric].label);
    });
    const parts = [...lists.values()].flatMap(({ labels, value }) => [
      el('h4', {}, `Claim by claim (${labels.join(', ')})`),
      el('ul', { class: 'claims' }, ...value.map((claim) => claimItem(claim, quotes))),
    ]);
    if (rest.size) {
      const inside = [...rest.values()].flatMap(({ labels, value }) => [el('h4', {}, labels.join(', ')), el('pre', { dir: 'auto', tabindex: '0' }, JSON.stringify(value, null, 1))]);
      parts.push(el('details', { class: 'context' }, el('summary', {}, 'Other evidence'), ...inside));
    }
    return parts;
  };
  const areClaims = (value) => Array.isArray(value) && value.length > 0 && value.every((v) => v && typeof v === 'object' && 'claim' in v && 'verdict' in v);
  const groupsOf = (value) => {
    if (areClaims(value)) return [['', value]];
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
    return Object.entries(value).filter(([, inner]) => areClaims(inner));
  };
  const VERDICTS = { supported: '✓ supported', partly: '◐ partly supported', contradicted: '✗ contradicted', not_mentioned: '? not mentioned' };
  const claimItem = (claim, quotes) => {
    const known = Object.hasOwn(VERDICTS, claim.verdict);
    if (claim.quote) quotes.push(claim.quote);
    const sources = (claim.sources || []).map((source) => source + 1);
    const where = sources.length ? ` by ${sources.length > 1 ? 'sources' : 'source'} ${sources.join(', ')}` : '';
    const lines = [claim.quote ? `“${claim.quote}”` : '', claim.reason || ''].filter(Boolean);
    return el('li', { class: known ? claim.verdict : '' },
      el('b', {}, `${known ? VERDICTS[claim.verdict] : claim.verdict}${where}: `), el('span', { dir: 'auto' }, claim.claim),
      ...lines.map((line) => el('small', { dir: 'auto' }, line)));
  };

  const contexts = (question, answer, quotes) => {
    if (!answer.contexts.length) return [el('h4', {}, 'No contexts')];
    const gold = question.gold.map((span) => text(span.quote));
    const items = answer.contexts.map((context, number) => {
      const words = text(context.text);
      const [marked, hasGold] = highlighted(words, quotes, gold);
      const details = el('details', { class: 'context' },
        el('summary', { dir: 'auto' }, `${number + 1}. ${context.doc || words.slice(0, 80)}${hasGold ? ' · holds the right passage' : ''}`), marked);
      if (number === 0 || hasGold) details.open = true;
      return details;
    });
    return [el('h4', {}, `Contexts, best first (${answer.contexts.length})`), ...items];
  };
  // A quote is found whatever its blanks: the judge compares with blanks made one.
  const placesOf = (words, quote) => {
    const parts = quote.slice(0, 2000).split(/\s+/).filter(Boolean).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (!parts.length) return null;
    const match = new RegExp(parts.join('\\s+')).exec(words);
    return match && [match.index, match.index + match[0].length];
  };
  const highlighted = (words, quotes, gold) => {
    const kind = new Uint8Array(words.length);
    let hasGold = false;
    const paint = (list, value) => {
      for (const quote of new Set(list)) {
        const place = placesOf(words, quote);
        if (!place) continue;
        hasGold = hasGold || value === 1;
        kind.fill(value, place[0], place[1]);
      }
    };
    paint(gold, 1);
    paint(quotes, 2);
    const box = el('p', { class: 'text', dir: 'auto' });
    for (let start = 0, end = 0; start < words.length; start = end) {
      while (end < words.length && kind[end] === kind[start]) end += 1;
      const part = words.slice(start, end);
      const names = { 1: ['gold', 'right passage'], 2: ['', 'quoted by the judge'] }[kind[start]];
      box.append(names ? el('mark', { class: names[0], title: names[1] }, part) : part);
    }
    return [box, hasGold];
  };

  // The tools.
  const choices = (id, entries) => byId(id).append(...entries.map(([value, label]) => el('option', { value }, label)));
  choices('metric', data.metrics.map((metric, number) => [String(number), metric.label]));
  choices('other', data.names.slice(1).map((name, number) => [String(number + 1), name]));
  choices('filter', filters);
  choices('order', orders);
  let waiting = 0;
  byId('search').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 120);
  });
  byId('other').addEventListener('change', () => {
    last = Number(byId('other').value);
    update();
  });
  for (const id of ['metric', 'filter', 'order']) byId(id).addEventListener('change', update);
  byId('more').addEventListener('click', more);
  document.querySelector('.tools').addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      byId('search').focus();
    }
  });
  // report.html#question=ID leads to one question.
  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('question');
    byId('search').value = asked ?? '';
    update();
    if (asked !== null) byId('questions').scrollIntoView();
  };
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    for (const folded of document.querySelectorAll('.fold')) folded.open = true;
  });
  follow();
})();
