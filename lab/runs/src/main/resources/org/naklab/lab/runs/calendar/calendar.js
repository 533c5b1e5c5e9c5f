'use strict';
(() => {
  const LOOK_MS = 2000;
  let data = JSON.parse(document.getElementById('runs-data').textContent);
  const byId = (id) => document.getElementById(id);
  let tools = byId('tools');
  const marks = ['pass', 'fail', 'unknown'];
  let chosen = [];

  // The choices are kept in the address, so that a reloaded or a copied page shows the same.
  let state = new URLSearchParams(location.hash.slice(1));

  function remember() {
    const now = new URLSearchParams();
    if (tools) {
      if (byId('scenario').value) now.set('scenario', byId('scenario').value);
      const hiddenMarks = marks.filter((mark) => !byId('mark-' + mark).checked);
      if (hiddenMarks.length) now.set('without', hiddenMarks.join(','));
      if (byId('words').value) now.set('words', byId('words').value);
      if (byId('choosing').checked) now.set('choosing', '1');
      chosen.forEach((index) => now.append('run', data.runs[index].name));
    }
    const hash = '#' + now;
    if (hash !== location.hash && (now.size || location.hash)) location.replace(hash);
  }

  function recall() {
    byId('scenario').value = state.get('scenario') || '';
    const hiddenMarks = (state.get('without') || '').split(',');
    marks.forEach((mark) => { byId('mark-' + mark).checked = !hiddenMarks.includes(mark); });
    byId('words').value = state.get('words') || '';
    byId('choosing').checked = state.has('choosing');
    chosen = state.getAll('run').map((name) => data.runs.findIndex((run) => run.name === name)).filter((index) => index >= 0);
  }

  function isShown(run) {
    const scenario = byId('scenario').value;
    const words = byId('words').value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = run.words.toLowerCase();
    return (!scenario || run.scenario === scenario) && byId('mark-' + run.mark).checked
      && words.every((word) => text.includes(word));
  }

  function filter() {
    const shown = data.runs.map(isShown);
    document.querySelectorAll('[data-run]').forEach((element) => { element.hidden = !shown[+element.dataset.run]; });
    document.querySelectorAll('tr.of-day, section[data-scenario]').forEach((element) => {
      element.hidden = !element.querySelector('[data-run]:not([hidden])');
    });
    const count = shown.filter(Boolean).length;
    byId('shown').value = count === data.runs.length ? 'all ' + count + ' runs' : count + ' of ' + data.runs.length + ' runs';
  }

  function cell(row, text, name) {
    const made = document.createElement(name || 'td');
    made.textContent = text;
    row.append(made);
    return made;
  }

  function difference(name, first, second) {
    if (first === null || second === null || first === second) return '';
    const by = second - first;
    const sign = by > 0 ? '+' : '';
    if (data.shares.includes(name)) return sign + by.toFixed(1) + ' %';
    return data.times.includes(name) ? sign + by.toFixed(1) + ' ms' : sign + by.toLocaleString('en-US');
  }

  function table(first, second, rows) {
    const made = document.createElement('table');
    const head = made.createTHead().insertRow();
    ['figure', first.name, second.name, 'difference'].forEach((text) => { cell(head, text, 'th').scope = 'col'; });
    const body = made.createTBody();
    rows.forEach((i) => {
      const row = body.insertRow();
      const differs = first.texts[i] !== second.texts[i] ? 'differs' : '';
      cell(row, data.names[i]);
      cell(row, first.texts[i]).className = differs;
      cell(row, second.texts[i]).className = differs;
      cell(row, difference(data.names[i], first.numbers[i], second.numbers[i]));
    });
    const wide = document.createElement('div');
    wide.className = 'wide';
    wide.append(made);
    return wide;
  }

  function compare() {
    const place = byId('comparison');
    place.hidden = chosen.length === 0;
    place.replaceChildren();
    document.querySelectorAll('[data-run]').forEach((element) => {
      const isChosen = chosen.includes(+element.dataset.run);
      const mark = element.querySelector('.run');
      if (mark) mark.classList.toggle('chosen', isChosen);
      const box = element.querySelector('input[type=checkbox]');
      if (box) box.checked = isChosen;
    });
    if (place.hidden) return;
    const title = document.createElement('h2');
    title.textContent = 'Comparison of two runs';
    const clear = document.createElement('button');
    clear.type = 'button';
    clear.textContent = 'Close';
    clear.addEventListener('click', () => choose(null));
    place.append(title);
    if (chosen.length === 1) {
      const text = document.createElement('p');
      text.textContent = data.runs[chosen[0]].name + ' is chosen. Choose a second run.';
      place.append(text, clear);
      return;
    }
    const [first, second] = chosen.map((index) => data.runs[index]);
    const all = data.names.map((name, i) => i);
    const other = all.filter((i) => first.texts[i] !== second.texts[i]);
    const alike = all.filter((i) => first.texts[i] === second.texts[i]);
    const rest = document.createElement('details');
    const summary = document.createElement('summary');
    summary.textContent = alike.length + ' of ' + all.length + ' figures are alike';
    rest.append(summary, table(first, second, alike));
    place.append(table(first, second, other), rest, clear);
  }

  /** Chooses a run, or lets it go; of three runs the last two remain. Without an index, none remains. */
  function choose(index) {
    if (index === null) chosen = [];
    else if (chosen.includes(index)) chosen = chosen.filter((each) => each !== index);
    else chosen = chosen.concat(index).slice(-2);
    compare();
    remember();
  }

  function addBoxes() {
    document.querySelectorAll('table.list').forEach((list) => {
      const head = cell(list.tHead.rows[0], 'compare', 'th');
      head.scope = 'col';
      list.querySelectorAll('tr[data-run]').forEach((row) => {
        const box = document.createElement('input');
        box.type = 'checkbox';
        box.setAttribute('aria-label', 'compare ' + data.runs[+row.dataset.run].name);
        box.addEventListener('change', () => choose(+row.dataset.run));
        cell(row, '').append(box);
      });
    });
  }

  function setChoosing() {
    const on = byId('choosing').checked;
    document.body.classList.toggle('choosing', on);
    document.querySelectorAll('.one a.run').forEach((mark) => {
      if (on) {
        mark.setAttribute('role', 'button');
        mark.tabIndex = 0;
      } else {
        mark.removeAttribute('role');
        mark.removeAttribute('tabindex');
      }
    });
  }

  const onMark = (event) => {
    const mark = event.target.closest('.one a.run');
    if (!mark || !tools || !byId('choosing').checked) return;
    event.preventDefault();
    choose(+mark.closest('[data-run]').dataset.run);
  };
  document.addEventListener('click', onMark);
  // A link with an address is clicked by the Enter key; one without is not.
  document.addEventListener('keydown', (event) => {
    if (event.key === ' ' || (event.key === 'Enter' && !event.target.href)) onMark(event);
  });

  function begin() {
    if (!tools) return;
    recall();
    addBoxes();
    filter();
    setChoosing();
    compare();
    tools.hidden = false;
    tools.addEventListener('submit', (event) => event.preventDefault());
    tools.addEventListener('input', () => { filter(); setChoosing(); remember(); });
  }

  const openLists = () => [...document.querySelectorAll('details[open] > summary')].map((summary) => summary.textContent);

  // Takes the page as the server has it now, in place of the one that is shown: choices, open lists and the place of the keyboard stay.
  function renew(page) {
    const open = openLists();
    const focused = document.activeElement ? document.activeElement.id : '';
    remember();
    document.body.replaceChildren(...page.body.childNodes);
    data = JSON.parse(byId('runs-data').textContent);
    tools = byId('tools');
    state = new URLSearchParams(location.hash.slice(1));
    begin();
    document.querySelectorAll('details > summary').forEach((summary) => {
      summary.parentElement.open = open.includes(summary.textContent);
    });
    if (focused && byId(focused)) byId(focused).focus();
  }

  // Asks whether a run has begun or ended since; a page that nobody sees does not ask.
  let known = null;
  async function look() {
    if (document.hidden) return;
    const now = await (await fetch('running.json')).text();
    if (known !== null && now !== known) {
      renew(new DOMParser().parseFromString(await (await fetch('.')).text(), 'text/html'));
    }
    known = now;
  }

  begin();
  if (document.body.dataset.served) {
    const again = () => look().catch(() => { known = ''; }).then(() => setTimeout(again, LOOK_MS));
    again();
  }
  document.body.dataset.ready = 'true';
})();
