// @ts-check
'use strict';
(() => {
  /** @typedef {{name: string, role: string, kind: string, stage: string}} Line */
  /** @typedef {{id: string, title: string, unit: string, what: string, lines: Line[]}} Strip */
  /** @typedef {{min: Float32Array, max: Float32Array, last: Float32Array}} Columns */
  /** @typedef {{strip: Strip, canvas: HTMLCanvasElement, legend: HTMLElement, first: number}} Drawn */

  const VERSION = 4;
  const HEAD = 53;
  const PLAYS = 1;
  const FOLLOWS = 2;
  const STALL_BYTES = 6;
  const COLUMN_BYTES = 14;
  const MAX_EVENTS = 500;
  const RETRY_MS = 1000;
  /** The part of a stall of which nothing is known as long as it lasts. */
  const NOT_KNOWN = 'not known yet';
  /** So many events that wait in the ring, or for the journal, are many: a sixteenth of the ring. */
  const HIGH_RING = 4096;
  /** Columns of pixels are this wide, so that a line can be seen. */
  const COLUMN_PIXELS = 2;

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const state = byId('state');
  const play = /** @type {HTMLButtonElement} */ (byId('play'));
  const seek = /** @type {HTMLInputElement} */ (byId('seek'));
  const clock = byId('clock');
  const speed = /** @type {HTMLSelectElement} */ (byId('speed'));
  const shown = /** @type {HTMLSelectElement} */ (byId('window'));
  const live = /** @type {HTMLButtonElement} */ (byId('live'));
  const reveal = /** @type {HTMLButtonElement} */ (byId('reveal'));

  /** @type {WebSocket | null} */
  let socket = null;
  /** What is shown: a film, a run that goes on, or a process that is watched. */
  let kind = 'film';
  let title = '';
  let earliestMs = 0;
  let lengthMs = 1;
  /** What to add to a time for milliseconds since 1970, by the clock of the machine; NaN: not known. */
  let epochMs = NaN;
  let atMs = 0;
  let columnMs = 1;
  let columns = 600;
  let base = 0;
  let isPlaying = true;
  /** Whether it stays at the present. */
  let isFollowing = false;
  let isRevealed = false;
  /** Whether the cause was asked for while the run goes on: the accounts of its stalls come at once, the verdict at its end. */
  let isAsked = false;
  /** Who decides when the verdict is told: each viewer, or the instructor. */
  let secrecy = 'each';
  /** How what was shown has ended; empty: it goes on. */
  let ending = '';
  let left = 0;
  let isDrawn = true;
  /** @type {number | null} */
  let cursor = null;
  /** @type {Drawn[]} */
  let drawn = [];
  /** @type {Line[]} */
  let lines = [];
  /** @type {Columns[]} */
  let data = [];
  /** @type {{process: string, thread: string, atMs: number, lengthMs: number, parts: {kind: string, ms: number, detail: string}[]}[]} */
  let stalls = [];
  /**
   * What is known of the stalls that last.
   *
   * @type {{process: string, thread: string, atMs: number, parts: {kind: string, ms: number, detail: string}[]}[]}
   */
  let accounts = [];
  /** @type {{index: number, forMs: number}[]} */
  let silent = [];

  /** @param {Record<string, unknown>} command */
  const send = (command) => {
    if (socket && socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(command));
    }
  };

  /** @param {number} value */
  const figure = (value) => {
    if (!Number.isFinite(value)) {
      return 'no figure';
    }
    const size = Math.abs(value);
    return size >= 100 ? Math.round(value).toLocaleString('en') : size >= 1 || size === 0 ? value.toFixed(1) : value.toFixed(3);
  };
  /** @param {number} ms */
  const seconds = (ms) => (ms / 1000).toFixed(3) + ' s';
  /**
   * Names a line of the grid: the time of the clock (UTC) if it is known, otherwise the seconds since the begin.
   *
   * @param {number} ms a multiple of the spacing
   * @param {number} spacing ms
   */
  const gridTime = (ms, spacing) => {
    if (!Number.isFinite(epochMs)) {
      return (ms / 1000).toFixed(spacing >= 1000 ? 0 : 2) + ' s';
    }
    const time = new Date(ms).toISOString();
    return ms % 1000 === 0 ? time.slice(11, 19) : time.slice(17, 22) + ' s';
  };

  /**
   * @param {string} tag
   * @param {string} [className]
   * @param {string} [text]
   */
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) {
      made.className = className;
    }
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  };

  /** The colours of the scheme: a live view of them, which is looked up once. */
  const palette = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const colour = (name) => palette.getPropertyValue(name).trim();
  const SUSPECTS = ['--red', '--doubt', '--good'];
  /**
   * Lines of one role have different colours where there are several on a strip.
   *
   * @param {Strip} strip
   * @param {Line} line
   */
  const colourOf = (strip, line) => {
    if (line.role === 'suspect' && line.kind !== 'LIMIT') {
      const same = strip.lines.filter((each) => each.role === 'suspect' && each.kind !== 'LIMIT');
      return colour(SUSPECTS[same.indexOf(line) % SUSPECTS.length]);
    }
    return colour(line.role === 'control' ? '--blue' : line.role === 'exchange' ? '--yellow' : '--faint');
  };

  const forget = () => {
    base = -1;
    data.forEach((each) => {
      each.min.fill(NaN);
      each.max.fill(NaN);
      each.last.fill(NaN);
    });
  };

  /** Makes the room for columns after the width or the number of lines has changed. */
  const resize = () => {
    const width = drawn.length ? drawn[0].canvas.clientWidth : 600;
    columns = Math.max(50, Math.min(2000, Math.floor(width / COLUMN_PIXELS)));
    data = lines.map(() => ({
      min: new Float32Array(columns), max: new Float32Array(columns), last: new Float32Array(columns) }));
    forget();
    send({ columns, windowMs: Number(shown.value) });
  };

  /** Of a run that goes on, the accounts of its stalls can be told already; a watch tells its causes as they are known. */
  const showReveal = () => {
    reveal.hidden = isRevealed || isAsked || secrecy !== 'each' || kind === 'idle' || !document.body.dataset.revealable || kind === 'watch';
  };

  const tellState = () => {
    const lost = left > 0 ? ' ' + left + ' frames were left out, since this browser or its network is slow; nothing is missing in the charts.' : '';
    const below = Number.isFinite(epochMs) ? '; the lines in the charts are at the times of the clock, in UTC.' : '.';
    const what = kind === 'idle' ? 'No run goes on.'
      : kind === 'film' ? 'Playing the record of a run. Times count from its begin' + below
      : ending ? ending + ' You can still move through the last minutes.'
        : isFollowing ? (kind === 'run' ? 'The run goes on.' : 'Watching now.') + ' Times count from the begin' + below
          : 'This is the past; the button Now goes back to the present.';
    if (state.textContent !== what + lost) {
      state.textContent = what + lost;
    }
  };

  /** @param {{title: string, kind: string, secrecy: string, version: number, lengthMs: number, epochMs?: number, strips: Strip[]}} hello */
  const begin = (hello) => {
    if (hello.version !== VERSION) {
      state.textContent = 'The server speaks version ' + hello.version + ' and this page version ' + VERSION + ': load the page anew.';
      return;
    }
    const isFirst = document.body.dataset.ready !== 'yes';
    kind = hello.kind;
    secrecy = hello.secrecy;
    document.body.dataset.kind = kind;
    lengthMs = hello.lengthMs;
    epochMs = hello.epochMs === undefined ? NaN : hello.epochMs;
    seek.max = String(Math.ceil(lengthMs));
    live.hidden = kind === 'film' || kind === 'idle';
    if (title !== hello.title) {
      title = hello.title;
      isRevealed = false;
      isAsked = false;
      byId('verdict').hidden = true;
      if (document.body.dataset.role !== 'viewer') {
        /** @type {HTMLElement} */ (document.querySelector('h1')).textContent = title;
      }
      document.dispatchEvent(new CustomEvent('naklab-new'));
    }
    showReveal();
    if (isFirst) {
      const fits = [...shown.options].map((each) => Number(each.value)).filter((each) => each >= lengthMs);
      shown.value = kind !== 'film' ? '20000' : String(fits.length ? Math.min(...fits) : 60000);
    }
    lines = hello.strips.flatMap((strip) => strip.lines);
    const room = byId('strips');
    room.replaceChildren();
    drawn = [];
    let first = 0;
    for (const strip of hello.strips) {
      const box = element('section', 'strip');
      const head = element('h2', '', strip.title + ', ' + strip.unit);
      head.append(element('small', '', strip.what));
      const canvas = document.createElement('canvas');
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', strip.title + ': ' + strip.what);
      const legend = element('div', 'legend');
      box.append(head, canvas, legend);
      room.append(box);
      drawn.push({ strip, canvas, legend, first });
      first += strip.lines.length;
      canvas.addEventListener('pointermove', (event) => {
        cursor = event.offsetX / canvas.clientWidth;
        isDrawn = false;
      });
      canvas.addEventListener('pointerleave', () => {
        cursor = null;
        isDrawn = false;
      });
    }
    resize();
    send({ speed: Number(speed.value) });
    document.body.dataset.ready = 'yes';
    byId('flow').replaceChildren();
    isDrawn = false;
  };

  /** @param {ArrayBuffer} buffer */
  const take = (buffer) => {
    const view = new DataView(buffer);
    if (view.getUint8(0) !== VERSION || view.getUint8(3) !== lines.length) {
      return;
    }
    const wasPlaying = isPlaying;
    isPlaying = (view.getUint8(2) & PLAYS) !== 0;
    isFollowing = (view.getUint8(2) & FOLLOWS) !== 0;
    left = view.getUint32(4);
    atMs = view.getFloat64(8);
    columnMs = view.getFloat64(16);
    const first = view.getFloat64(24);
    earliestMs = view.getFloat64(32);
    lengthMs = view.getFloat64(40);
    const count = view.getUint16(48);
    const width = view.getUint16(50);
    const stalled = view.getUint8(52);
    let at = HEAD;
    silent = [];
    for (let i = 0; i < stalled; i++) {
      silent.push({ index: view.getUint16(at), forMs: view.getFloat32(at + 2) });
      at += STALL_BYTES;
    }
    if (isPlaying !== wasPlaying) {
      isDrawn = false;
    }
    if (width !== columns || count === 0) {
      return;
    }
    const newest = first + count - 1;
    if (base < 0 || newest < base || first > base + 1) {
      forget();
    }
    base = newest;
    for (const line of data) {
      for (let column = first; column <= newest; column++) {
        const slot = column % columns;
        line.min[slot] = view.getFloat32(at);
        line.max[slot] = view.getFloat32(at + 4);
        line.last[slot] = view.getFloat32(at + 8);
        at += COLUMN_BYTES;
      }
    }
    isDrawn = false;
  };

  /** @param {Drawn} one */
  const draw = (one) => {
    const canvas = one.canvas;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const oldest = base - columns + 1;
    const step = width / columns;
    let top = 0;
    one.strip.lines.forEach((_, i) => {
      const its = data[one.first + i];
      for (let column = Math.max(0, oldest); column <= base; column++) {
        const value = its.max[column % columns];
        if (value > top) {
          top = value;
        }
      }
    });
    const most = top;
    top = top > 0 ? top * 1.1 : 1;
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = colour('--faint');
    pen.strokeStyle = colour('--line');
    const spacing = [10, 50, 100, 500, 1000, 5000, 10000].find((each) => each / columnMs * step > 60) || 10000;
    // Whole seconds of the clock, at which services do their work of each second; a run begins somewhere between two of them.
    const zeroMs = Number.isFinite(epochMs) ? epochMs : 0;
    /** @type {[number, string][]} */
    const labels = [];
    for (let time = Math.ceil((zeroMs + Math.max(0, oldest * columnMs)) / spacing) * spacing; time <= zeroMs + atMs; time += spacing) {
      const x = ((time - zeroMs) / columnMs - oldest) * step;
      pen.globalAlpha = time % 1000 === 0 ? 1 : 0.45;
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x, height);
      pen.stroke();
      pen.globalAlpha = 1;
      labels.push([x + 3, gridTime(time, spacing)]);
    }
    one.strip.lines.forEach((line, i) => {
      const its = data[one.first + i];
      pen.fillStyle = colourOf(one.strip, line);
      const isLimit = line.kind === 'LIMIT';
      for (let column = Math.max(0, oldest); column <= base; column++) {
        const slot = column % columns;
        const high = its.max[slot];
        if (Number.isNaN(high) || (isLimit && column % 4 > 1)) {
          continue;
        }
        const isBar = line.kind === 'TICKS' || line.kind === 'SILENCE';
        const low = isBar ? 0 : its.min[slot];
        if (isBar && high === 0) {
          continue;
        }
        const y = height - high / top * height;
        const bottom = height - low / top * height;
        pen.fillRect((column - oldest) * step, y, Math.max(1, step), Math.max(1.5, bottom - y));
      }
    });
    // What is drawn must not make them illegible.
    for (const [x, text] of labels) {
      pen.fillStyle = colour('--ground');
      pen.globalAlpha = 0.8;
      pen.fillRect(x - 2, height - 15, pen.measureText(text).width + 4, 14);
      pen.globalAlpha = 1;
      pen.fillStyle = colour('--faint');
      pen.fillText(text, x, height - 4);
    }
    pen.fillStyle = colour('--faint');
    // Below the limit, which is at the top.
    pen.fillText(figure(most), 4, height / 11 + 12);
    if (cursor !== null) {
      pen.fillStyle = colour('--ink');
      pen.fillRect(cursor * width, 0, 1, height);
    }
  };

  /** @param {Drawn} one */
  const readOut = (one) => {
    const column = cursor === null ? base : base - columns + 1 + Math.floor(cursor * columns);
    const parts = one.strip.lines.map((line, i) => {
      const its = data[one.first + i];
      const value = column < 0 ? NaN : cursor === null ? its.last[column % columns] : its.max[column % columns];
      const part = element('span', '', line.name + ' ' + figure(value) + (Number.isFinite(value) ? ' ' + one.strip.unit : ''));
      const mark = element('i');
      mark.style.background = colourOf(one.strip, line);
      part.prepend(mark);
      return part;
    });
    one.legend.replaceChildren(...parts);
  };

  /** Returns the last value of the first line of a strip that a test takes. */
  const lastOf = (/** @type {string} */ id, /** @type {(line: Line) => boolean} */ test) => {
    const one = drawn.find((each) => each.strip.id === id);
    if (!one || base < 0) {
      return NaN;
    }
    const index = one.strip.lines.findIndex(test);
    return index < 0 ? NaN : data[one.first + index].last[base % columns];
  };

  /**
   * Returns what passes in a second by the first line of a strip that a test takes: of a counter what it grew in the last second, of a rate the last one.
   *
   * @param {string} id
   * @param {(line: Line) => boolean} test
   */
  const perSecond = (id, test) => {
    const one = drawn.find((each) => each.strip.id === id);
    const index = one && base >= 0 ? one.strip.lines.findIndex(test) : -1;
    if (!one || index < 0) {
      return NaN;
    }
    const its = data[one.first + index];
    if (one.strip.lines[index].kind !== 'TICKS') {
      return its.last[base % columns];
    }
    const span = Math.max(1, Math.min(columns - 1, Math.round(1000 / columnMs)));
    let sum = 0;
    for (let column = Math.max(0, base - span); column < base; column++) {
      sum += its.last[column % columns] || 0;
    }
    return sum * 1000 / (span * columnMs);
  };

  /**
   * Says how much passes a stage; events are known while a run goes on only.
   *
   * @param {string} role
   * @param {string} stage
   * @param {string} otherwise
   */
  const passing = (role, stage, otherwise) => {
    const events = perSecond('rate', (line) => line.role === role && line.stage === stage);
    const kib = perSecond('traffic', (line) => line.role === role);
    return Number.isFinite(events) ? figure(events) + ' events/s' : Number.isFinite(kib) ? figure(kib) + ' KiB/s' : otherwise;
  };

  const flow = () => {
    const silentOf = (/** @type {string} */ role) => silent.filter((each) => {
      const stall = stalls[each.index];
      return stall && (role === 'control') === stall.process.startsWith('gateway');
    });
    const stalled = silentOf('suspect');
    const others = silentOf('control');
    const suspect = (/** @type {Line} */ line) => line.role === 'suspect' && line.kind !== 'LIMIT';
    const depth = lastOf('depth', suspect);
    const limit = lastOf('depth', (line) => line.kind === 'LIMIT');
    const headroom = lastOf('headroom', suspect);
    const into = (/** @type {string} */ stage) => perSecond('rate', (line) => line.role === 'suspect' && line.stage === stage);
    const waiting = (/** @type {string} */ stage) => lastOf('queues', (line) => line.stage === stage);
    const kib = perSecond('traffic', suspect);
    const events = (/** @type {number} */ rate, /** @type {string} */ what) => Number.isFinite(rate) ? (figure(rate) + ' events/s ' + what).trim() : '';
    const perS = (/** @type {number} */ rate, /** @type {string} */ what) => Number.isFinite(rate) ? figure(rate) + '/s ' + what : '';
    const count = (/** @type {number} */ number) => Math.round(number).toLocaleString('en');
    const isWatch = kind === 'watch';
    const isStalled = stalled.length > 0;
    const inRing = waiting('ring');
    const behind = waiting('journal');
    const stages = [
      { name: isWatch ? 'Sender' : 'Exchange', text: [passing('exchange', 'sent', ''), 'sends the market data'], isStalled: false, isLate: false },
      { name: 'Socket', text: [Number.isFinite(kib) ? figure(kib) + ' KiB/s taken out' : '',
        figure(depth) + (Number.isFinite(limit) ? ' of ' + figure(limit) : '') + ' KiB wait',
        Number.isFinite(headroom) ? 'full in ' + figure(headroom) + ' ms if nobody reads' : ''], isStalled: false, isLate: depth > limit / 2 },
      { name: 'Receipt thread', text: [events(into('received'), ''), isStalled ? 'silent for ' + figure(stalled[0].forMs) + ' ms' : 'receives'],
        isStalled, isLate: false },
      { name: 'Ring', text: [events(into('applied'), 'leave it'), Number.isFinite(inRing) ? count(inRing) + ' events wait' : ''],
        isStalled: false, isLate: inRing >= HIGH_RING },
      { name: isWatch ? 'Rest of the program' : 'Books and journal',
        text: [perS(into('applied'), 'into the books'), perS(into('journaled'), 'into the journal'),
          isStalled ? (isWatch ? 'gets nothing' : 'get nothing') : behind > 0 ? 'the journal is ' + count(behind) + ' events behind'
            : isWatch ? 'gets the data' : 'are up to date'],
        isStalled: false, isLate: isStalled || behind >= HIGH_RING },
      { name: 'Other receivers', text: [passing('control', 'received', ''), others.length ? 'silent for ' + figure(others[0].forMs) + ' ms' : 'receive the same data'],
        isStalled: others.length > 0, isLate: false },
    ].filter((stage) => (stage.name !== 'Ring' || drawn.some((one) => one.strip.id === 'queues')) && !(isWatch && stage.name === 'Other receivers'));
    const room = byId('flow');
    if (room.childElementCount === 0) {
      stages.forEach((stage, i) => {
        if (i > 0) {
          room.append(element('span', 'arrow', stages[i].name === 'Other receivers' ? '|' : '→'));
        }
        const box = element('div', 'stage');
        box.append(element('b', '', stage.name), element('span'));
        room.append(box);
      });
    }
    room.querySelectorAll('.stage').forEach((box, i) => {
      box.className = 'stage' + (stages[i].isStalled ? ' stalled' : stages[i].isLate ? ' late' : '');
      /** @type {HTMLElement} */ (box.lastChild).textContent = stages[i].text.filter((line) => line !== '').join('\n');
    });
  };

  const tellStalls = () => {
    byId('no-stall').hidden = stalls.length > 0;
    byId('stall-list').replaceChildren(...stalls.slice().reverse().map((stall) => {
      const box = element('div', 'stall');
      box.append(element('p', '', seconds(stall.atMs) + ': ' + stall.thread + ' of ' + stall.process
        + (stall.lengthMs < 0 ? ' is silent' : ' received nothing for ' + figure(stall.lengthMs) + ' ms')));
      const soFar = stall.lengthMs < 0
        ? accounts.find((each) => each.process === stall.process && each.thread === stall.thread && each.atMs === stall.atMs) : undefined;
      const parts = soFar ? soFar.parts : stall.parts;
      if (parts.length) {
        if (soFar) {
          box.append(element('p', 'faint', 'What is known so far:'));
        }
        const bar = element('div', 'account');
        const list = element('ul', 'parts');
        parts.forEach((part, i) => {
          const colours = part.kind === NOT_KNOWN ? 'part-unknown' : 'part-' + Math.min(i, 5);
          const piece = element('i', colours);
          piece.style.flexGrow = String(part.ms);
          bar.append(piece);
          const item = element('li', '', figure(part.ms) + ' ms ' + part.kind + (part.detail ? ' (' + part.detail + ')' : ''));
          item.prepend(element('i', colours));
          list.append(item);
        });
        box.append(bar, list);
      }
      return box;
    }));
  };

  /** @param {{atMs: number, text: string, figures: Record<string, unknown>}} event */
  const tellEvent = (event) => {
    const box = element('details');
    const head = element('summary');
    const time = element('time', '', seconds(event.atMs));
    head.append(time, event.text);
    const table = element('table');
    for (const [name, value] of Object.entries(event.figures)) {
      const row = element('tr');
      row.append(element('th', '', name), element('td', '', typeof value === 'object' ? JSON.stringify(value) : String(value)));
      table.append(row);
    }
    const show = element('button', '', 'Go there');
    show.addEventListener('click', () => {
      goTo(event.atMs);
      // The list begins anew, and this button is gone with the keyboard's place.
      play.focus();
    });
    box.append(head, table, show);
    return box;
  };

  /** @param {{cause: string, confidence?: string, evidence?: {text: string, figure: string}[], chain: {link: string, atMs: number}[], suspects: {suspect: string, ruledOut: boolean, figure: string}[], remedy?: string}} verdict */
  const showVerdict = (verdict) => {
    const room = byId('verdict-text');
    room.replaceChildren(element('p', '', 'Cause: ' + verdict.cause + (verdict.confidence ? ', ' + verdict.confidence : '')));
    const evidence = element('ul');
    (verdict.evidence || []).forEach((each) => evidence.append(element('li', '', each.text + (each.figure ? ': ' + each.figure : ''))));
    room.append(evidence);
    if (verdict.chain.length) {
      room.append(element('h3', '', 'From cause to effect'));
      const chain = element('ol');
      verdict.chain.forEach((link) => chain.append(element('li', '', seconds(link.atMs) + ' ' + link.link)));
      room.append(chain);
    }
    if (verdict.suspects.length) {
      room.append(element('h3', '', 'Suspects; those that a figure rules out are struck out'));
      const list = element('ul');
      verdict.suspects.forEach((each) => {
        const item = element('li');
        item.append(element('span', each.ruledOut ? 'out' : '', each.suspect), ': ' + each.figure);
        list.append(item);
      });
      room.append(list);
    }
    if (verdict.remedy) {
      room.append(element('p', '', 'Remedy: ' + verdict.remedy));
    }
    byId('verdict').hidden = false;
  };
  /** @param {Parameters<typeof showVerdict>[0]} verdict */
  const tellVerdict = (verdict) => {
    showVerdict(verdict);
    if (document.activeElement === reveal) {
      byId('verdict').focus();
    }
    isRevealed = true;
    showReveal();
    tellStalls();
  };

  /** @param {any} message */
  const hear = (message) => {
    if (message.strips) {
      begin(message);
    } else if (message.verdict) {
      tellVerdict(message.verdict);
    } else if (message.soFar) {
      showVerdict(message.soFar);
      byId('verdict-text').prepend(element('p', 'faint', 'This is what is known of the latest stall so far; it may change while more of it is recorded.'));
    } else if (message.end) {
      ending = message.end;
      showReveal();
      isDrawn = false;
    } else if (message.run) {
      document.dispatchEvent(new CustomEvent('naklab-run', { detail: message.run }));
    } else if (message.accounts) {
      accounts = message.accounts;
      tellStalls();
    } else if (message.books) {
      document.dispatchEvent(new CustomEvent('naklab-books', { detail: message.books }));
    } else if (message.events) {
      const areStallsNew = Boolean(message.stalls);
      stalls = message.stalls || stalls;
      const room = byId('events');
      if (message.reset) {
        room.replaceChildren();
      }
      message.events.forEach((/** @type {any} */ event) => room.prepend(tellEvent(event)));
      while (room.childElementCount > MAX_EVENTS) {
        room.lastElementChild?.remove();
      }
      if (areStallsNew) {
        tellStalls();
      }
    }
  };

  const connect = () => {
    const made = new WebSocket(
      (location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + location.pathname.replace(/(film|live)\.html$/, '$1'));
    made.binaryType = 'arraybuffer';
    socket = made;
    const goOnAt = atMs > 0 ? atMs : Number(document.body.dataset.startMs);
    let isGoingOn = goOnAt > 0 && !isFollowing;
    ending = '';
    made.addEventListener('message', (event) => {
      if (typeof event.data !== 'string') {
        take(event.data);
        return;
      }
      hear(JSON.parse(event.data));
      if (isGoingOn) {
        isGoingOn = false;
        send({ seekMs: Math.min(goOnAt, lengthMs), play: isPlaying });
      }
    });
    made.addEventListener('open', () => {
      if (isAsked) {
        send({ reveal: true });
      }
    });
    made.addEventListener('close', () => {
      state.textContent = 'The connection is lost; trying again every second.';
      setTimeout(connect, RETRY_MS);
    });
  };

  const toggle = () => send({ play: !isPlaying });
  /** @param {number} toMs */
  const goTo = (toMs) => send({ seekMs: Math.max(0, Math.min(lengthMs, toMs)) });
  const goToEnd = () => kind === 'film' ? goTo(lengthMs) : send({ live: true });
  /** @param {number} by */
  const zoom = (by) => {
    const next = shown.selectedIndex + by;
    if (next >= 0 && next < shown.options.length) {
      shown.selectedIndex = next;
      shown.dispatchEvent(new Event('change'));
    }
  };
  /**
   * Moves the line at which the charts are read; at first it is in their middle.
   *
   * @param {number} byColumns
   */
  const moveCursor = (byColumns) => {
    cursor = cursor === null ? 0.5 : Math.max(0, Math.min(1 - 0.5 / columns, cursor + byColumns / columns));
    document.body.dataset.cursor = cursor.toFixed(4);
    isDrawn = false;
  };
  play.addEventListener('click', toggle);
  live.addEventListener('click', goToEnd);
  seek.addEventListener('input', () => goTo(Number(seek.value)));
  document.addEventListener('keydown', (event) => {
    const on = /** @type {HTMLElement} */ (event.target).tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || on === 'SELECT' || on === 'INPUT') {
      return;
    }
    const step = event.shiftKey ? 20 : 1000;
    /** @type {Record<string, () => void>} */
    const keys = {
      ' ': toggle,
      ArrowLeft: () => goTo(atMs - step),
      ArrowRight: () => goTo(atMs + step),
      '+': () => zoom(1),
      '-': () => zoom(-1),
      End: goToEnd,
      ',': () => moveCursor(-1),
      '.': () => moveCursor(1),
      '<': () => moveCursor(-20),
      '>': () => moveCursor(20),
      Escape: () => {
        cursor = null;
        delete document.body.dataset.cursor;
        isDrawn = false;
      },
    };
    // A button or an event of the list takes the space itself.
    if (keys[event.key] && !(event.key === ' ' && (on === 'BUTTON' || on === 'SUMMARY'))) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  speed.addEventListener('change', () => send({ speed: Number(speed.value) }));
  shown.addEventListener('change', () => {
    forget();
    send({ windowMs: Number(shown.value) });
  });
  reveal.addEventListener('click', () => {
    send({ reveal: true });
    if (kind === 'run' && !ending) {
      isAsked = true;
      showReveal();
      byId('stall-list').focus();
    }
  });
  document.addEventListener('naklab-instrument', (event) => send({ instrument: /** @type {CustomEvent} */ (event).detail }));
  let isResizing = false;
  window.addEventListener('resize', () => {
    if (!isResizing) {
      isResizing = true;
      setTimeout(() => {
        isResizing = false;
        resize();
      }, 200);
    }
  });

  const paint = () => {
    if (!isDrawn) {
      isDrawn = true;
      drawn.forEach((one) => {
        draw(one);
        readOut(one);
      });
      flow();
      clock.textContent = seconds(atMs);
      document.dispatchEvent(new CustomEvent('naklab-time', { detail: atMs }));
      seek.min = String(Math.floor(earliestMs));
      seek.max = String(Math.ceil(lengthMs));
      if (!seek.matches(':active') || isFollowing) {
        seek.value = String(Math.round(atMs));
      }
      live.disabled = isFollowing;
      play.textContent = isPlaying ? 'Pause' : kind === 'film' && atMs >= lengthMs ? 'Play again' : 'Play';
      if (socket && socket.readyState === WebSocket.OPEN && base >= 0) {
        tellState();
      }
    }
    requestAnimationFrame(paint);
  };
  connect();
  requestAnimationFrame(paint);
})();
