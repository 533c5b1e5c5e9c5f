// @ts-check
'use strict';
(() => {
  /** @typedef {{name: string, summary: string, fidelities: string[], remedies: string[], rate: number, durationS: number, obstacle: string}} Scenario */
  /** @typedef {{kind: string, summary: string, example: string}} Fault */
  /** @typedef {{number: number, fault: string, process: string, step: string, proof: string}} Injected */
  /** @typedef {{number: number, phase: string, isHidden: boolean, title: string, scenario: string, command: string, query: string, path: string, text: string, faults: Injected[]}} Run */

  const isInstructor = document.body.dataset.role === 'instructor';
  /** @type {Record<string, string>} */
  const STEPS = {
    'asked': 'asked for',
    'waiting': 'waits for its time',
    'armed': 'armed: it may fire',
    'fired': 'fired',
    'removed': 'removed; it had fired',
    'not-fired': 'removed; it did not fire',
    'refused': 'not taken',
  };
  const OVER = ['removed', 'not-fired', 'refused'];

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  /** @param {string} id */
  const input = (id) => /** @type {HTMLInputElement} */ (byId(id));
  /** @param {string} id */
  const select = (id) => /** @type {HTMLSelectElement} */ (byId(id));
  /** @param {string} id */
  const button = (id) => /** @type {HTMLButtonElement} */ (byId(id));

  /** @type {Scenario[]} */
  let scenarios = [];
  /** @type {Fault[]} */
  let kinds = [];
  /** True while a run goes on. */
  let isOn = false;

  /** The list of scenarios comes a moment after the page. */
  const allowStart = () => {
    button('start').disabled = isOn || scenarios.length === 0;
  };

  /** @param {string} text */
  const tellProblem = (text) => {
    byId('act-problem').textContent = text;
  };

  /**
   * Does what the instructor asks for; the server tells what came of it to all viewers.
   *
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  const act = async (method, path, body) => {
    tellProblem('');
    try {
      const answer = await fetch(path, {
        method,
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!answer.ok) {
        tellProblem((await answer.text()).trim());
      }
    } catch (error) {
      tellProblem('The server does not answer: ' + error);
    }
  };

  /** @param {string} path */
  const read = async (path) => (await fetch(path)).json();

  /** @param {Injected} fault */
  const line = (fault) => {
    const item = document.createElement('li');
    item.className = 'fault ' + fault.step;
    const step = document.createElement('b');
    step.textContent = STEPS[fault.step];
    item.append(fault.fault + (fault.process ? ' on ' + fault.process : '') + ': ', step, fault.proof ? ' (' + fault.proof + ') ' : ' ');
    if (isInstructor && !OVER.includes(fault.step)) {
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.textContent = 'Remove';
      remove.setAttribute('aria-label', 'Remove ' + fault.fault);
      remove.addEventListener('click', () => {
        act('DELETE', 'api/run/faults/' + fault.number);
        // The list begins anew, and this button is gone with the keyboard's place.
        button('inject').focus();
      });
      item.append(remove);
    }
    return item;
  };

  /** @param {Run} run */
  const show = (run) => {
    isOn = ['starting', 'running', 'ending'].includes(run.phase);
    const what = run.scenario ? run.title + ': ' + run.scenario + '. ' : '';
    const text = what + run.text;
    if (byId('run-text').textContent !== text) {
      byId('run-text').textContent = text;
    }
    document.body.dataset.phase = run.phase;
    byId('faults').replaceChildren(...run.faults.map(line));
    if (!isInstructor) {
      return;
    }
    allowStart();
    button('stop').disabled = !isOn || run.phase === 'ending';
    button('inject').disabled = run.phase !== 'running';
    button('tell').disabled = !run.isHidden;
    byId('repeat').hidden = run.number === 0;
    /** @type {HTMLAnchorElement} */ (byId('repeat-link')).href = 'live.html' + run.query;
    byId('repeat-command').textContent = run.command;
    byId('records').hidden = run.phase !== 'over' || !run.path;
    /** @type {HTMLAnchorElement} */ (byId('report-link')).href = run.path + '/report.html';
    /** @type {HTMLAnchorElement} */ (byId('film-link')).href = run.path + '/film.html';
  };
  document.addEventListener('naklab-run', (event) => show(/** @type {CustomEvent} */ (event).detail));
  if (!isInstructor) {
    return;
  }

  /** @param {string} id @param {string[]} words */
  const offer = (id, words) => {
    select(id).replaceChildren(...words.map((word) => new Option(word, word)));
    select(id).disabled = words.length < 2;
  };
  const choose = () => {
    const chosen = scenarios.find((each) => each.name === select('scenario').value);
    if (chosen) {
      offer('fidelity', chosen.fidelities);
      offer('remedy', chosen.remedies.slice().sort((one, other) => Number(other === 'none') - Number(one === 'none')));
      input('rate').value = String(chosen.rate);
      input('duration').value = String(Math.ceil(chosen.durationS));
      byId('scenario-text').textContent = chosen.summary + (chosen.obstacle ? ' It cannot run here: ' + chosen.obstacle : '');
    }
  };
  const chooseFault = () => {
    const chosen = kinds.find((each) => each.kind === select('fault-kind').value);
    if (chosen) {
      input('fault').value = chosen.example || chosen.kind;
      byId('fault-text').textContent = chosen.summary;
    }
  };
  /** Takes the values of the link that repeats a run. It starts nothing by itself. */
  const takeQuery = () => {
    const asked = new URLSearchParams(location.search);
    const scenario = asked.get('scenario');
    select('scenario').value = scenario && scenarios.some((each) => each.name === scenario) ? scenario : 'mystery';
    choose();
    for (const id of ['fidelity', 'remedy', 'rate', 'duration', 'seed', 'clients']) {
      const value = asked.get(id);
      if (value !== null) {
        input(id).value = value;
      }
    }
    input('hidden').checked = asked.get('hidden') !== 'false';
  };
  /** @param {string} id */
  const number = (id) => input(id).value === '' ? null : Number(input(id).value);

  select('scenario').addEventListener('change', choose);
  select('fault-kind').addEventListener('change', chooseFault);
  button('start').addEventListener('click', () => act('POST', 'api/run', {
    scenario: select('scenario').value,
    fidelity: select('fidelity').value === 'none' ? null : select('fidelity').value,
    remedy: select('remedy').value,
    rate: number('rate'),
    durationS: number('duration'),
    seed: number('seed'),
    clients: number('clients'),
    hidden: input('hidden').checked,
  }));
  button('stop').addEventListener('click', () => act('POST', 'api/run/stop'));
  button('tell').addEventListener('click', () => act('POST', 'api/run/reveal'));
  button('inject').addEventListener('click', () => act('POST', 'api/run/faults', { fault: input('fault').value }));
  const fill = async () => {
    try {
      [scenarios, kinds] = await Promise.all([read('api/scenarios'), read('api/faults')]);
    } catch (error) {
      tellProblem('The server does not say what can be started: ' + error);
      return;
    }
    select('scenario').replaceChildren(...scenarios.map((each) => new Option(each.name, each.name)));
    select('fault-kind').replaceChildren(...kinds.map((each) => new Option(each.kind, each.kind)));
    takeQuery();
    chooseFault();
    allowStart();
    document.body.dataset.offered = 'yes';
  };
  fill();
})();
