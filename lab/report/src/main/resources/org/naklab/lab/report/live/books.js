// @ts-check
'use strict';
(() => {
  /** @typedef {[number, number, number]} Level price, quantity and orders */
  /** @typedef {{process: string, validity: string, suspectSince: number, ageMs: number, bids: Level[], asks: Level[], trade?: {atMs: number, price: number, quantity: number}, ticks: number, isLate: boolean, worst?: {atMs: number, ageMs: number, ticks: number}}} Book */
  /** @typedef {{atMs: number, instruments: number[], instrument: number, views: Book[]}} Books */

  const LEVELS = 5;
  /** In place of a process: what the service sends to everybody once a second. */
  const SNAPSHOTS = 'snapshots';
  /** @type {Record<string, string>} */
  const VALIDITY = {
    valid: 'complete',
    suspect: 'perhaps wrong: messages are missing',
    rebuilding: 'being filled again',
  };

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const instrument = /** @type {HTMLSelectElement} */ (byId('instrument'));
  const ladders = byId('ladders');

  /**
   * @param {string} tag
   * @param {string} className
   * @param {string} text
   */
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };
  /** @param {number} ms */
  const age = (ms) => ms < 0 ? 'no price yet' : ms >= 1000 ? (ms / 1000).toFixed(1) + ' s old' : Math.round(ms) + ' ms old';
  /** @param {string} process */
  const who = (process) => process === SNAPSHOTS ? 'Snapshot' : process === 'exchange' ? 'Exchange' : process === 'mds' ? 'Service' : process.replace('gateway-', 'Gateway ');
  /** @param {number} ticks */
  const cents = (ticks) => ticks + (ticks === 1 ? ' tick (cent)' : ' ticks (cents)');

  /**
   * @param {HTMLTableSectionElement} rows
   * @param {Level[]} levels
   * @param {string} side
   * @param {number} most
   */
  const addLevels = (rows, levels, side, most) => {
    const shown = levels.slice(0, LEVELS);
    const ordered = side === 'ask' ? shown.reverse() : shown;
    for (let i = 0; i < LEVELS; i++) {
      const level = side === 'ask' ? ordered[i - (LEVELS - ordered.length)] : ordered[i];
      const row = document.createElement('tr');
      row.className = side;
      const quantity = element('td', 'quantity', level ? level[1].toLocaleString('en') : '');
      if (level) {
        const amount = document.createElement('i');
        amount.style.width = Math.max(1, Math.round(100 * level[1] / most)) + '%';
        quantity.append(amount);
      }
      row.append(element('td', 'price', level ? level[0].toFixed(2) : ''), quantity);
      rows.append(row);
    }
  };

  /** When the books were looked at, in the time of the page. */
  let seenMs = 0;
  /**
   * A snapshot grows older until the next one comes, also where nobody looks at it.
   *
   * @param {number} atMs
   */
  const growOlder = (atMs) => {
    document.querySelectorAll('#ladders .snapshot .age').forEach((each) => {
      const text = age(Number(/** @type {HTMLElement} */ (each).dataset.ageMs) + Math.max(0, atMs - seenMs));
      if (each.textContent !== text) {
        each.textContent = text;
      }
    });
  };

  /** @param {Book} book */
  const ladder = (book) => {
    const box = element('div', 'ladder ' + book.validity + (book.isLate ? ' old' : ''), '');
    box.append(element('b', '', who(book.process)));
    const isSnapshot = book.process === SNAPSHOTS;
    box.classList.toggle('snapshot', isSnapshot);
    const old = element('span', 'age', age(book.ageMs) + (book.isLate ? ', ' + cents(book.ticks) + ' wrong' : ''));
    old.dataset.ageMs = String(book.ageMs);
    box.append(old);
    const table = document.createElement('table');
    table.setAttribute('aria-label', 'Order book of ' + who(book.process));
    const rows = table.createTBody();
    const most = Math.max(1, ...book.bids.concat(book.asks).map((level) => level[1]));
    addLevels(rows, book.asks, 'ask', most);
    addLevels(rows, book.bids, 'bid', most);
    box.append(table);
    if (isSnapshot) {
      box.append(element('span', 'validity', 'sent by the service once a second'));
      return box;
    }
    box.append(element('span', 'validity', VALIDITY[book.validity] + (book.validity === 'suspect' ? ' since message ' + book.suspectSince.toLocaleString('en') : '')));
    box.append(element('span', 'trade', book.trade ? 'last trade ' + book.trade.quantity.toLocaleString('en') + ' at ' + book.trade.price.toFixed(2) : 'no trade yet'));
    if (book.worst) {
      box.append(element('span', 'worst', 'worst so far: ' + age(book.worst.ageMs) + ', ' + cents(book.worst.ticks) + ' wrong, ' + (book.worst.atMs < 0 ? 'before the begin' : 'at ' + (book.worst.atMs / 1000).toFixed(1) + ' s')));
    }
    return box;
  };

  /** @param {Books} books */
  const show = (books) => {
    byId('books').hidden = false;
    if ([...instrument.options].map((each) => Number(each.value)).join() !== books.instruments.join()) {
      instrument.replaceChildren(...books.instruments.map((each) => new Option(String(each), String(each))));
    }
    if (document.activeElement !== instrument) {
      instrument.value = String(books.instrument);
    }
    seenMs = books.atMs;
    const order = ['exchange', 'mds'];
    const rank = (/** @type {Book} */ book) => book.process === SNAPSHOTS ? order.length + 2 : (order.indexOf(book.process) + 1) || order.length + 1;
    ladders.replaceChildren(...books.views.slice().sort((one, other) => rank(one) - rank(other)).map(ladder));
    const late = books.views.filter((book) => book.isLate);
    const text = books.views.every((book) => book.process === SNAPSHOTS) ? 'No customers are connected in this run.'
      : late.length === 0 ? 'All customers see the prices of the exchange.'
      : late.map((book) => 'Customers of ' + (book.process === 'mds' ? 'the service' : who(book.process)) + ' see prices that are ' + age(book.ageMs)
        + ': the best price is ' + cents(book.ticks) + ' away from that of the exchange.').join(' ');
    const stale = byId('stale');
    stale.classList.toggle('old', late.length > 0);
    if (stale.textContent !== text) {
      stale.textContent = text;
    }
  };

  document.addEventListener('naklab-books', (event) => show(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener('naklab-time', (event) => growOlder(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener('naklab-new', () => {
    byId('books').hidden = true;
  });
  instrument.addEventListener('change', () =>
    document.dispatchEvent(new CustomEvent('naklab-instrument', { detail: Number(instrument.value) })));
})();
