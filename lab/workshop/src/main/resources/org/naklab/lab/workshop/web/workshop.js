'use strict';
// All works without it: it loads pages again, remembers events to cite, and plays the film on the wall.
(() => {
  const reload = document.getElementById('reload');
  if (reload) {
    reload.parentElement.hidden = false;
    reload.checked = sessionStorage.getItem('reload') !== 'no';
    reload.addEventListener('change', () => sessionStorage.setItem('reload', reload.checked ? 'yes' : 'no'));
    setInterval(() => {
      const busy = document.activeElement && document.activeElement.matches('input:not(#reload), select, button');
      if (reload.checked && !document.hidden && !busy) { location.reload(); }
    }, 10000);
  }
  for (const place of document.querySelectorAll('[data-origin]')) { place.textContent = location.origin + '/'; }

  const token = document.querySelector('input[name=token]');
  if (token && location.hash.length > 1) {
    token.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
    token.form.requestSubmit();
  }

  for (const select of document.querySelectorAll('select[data-submit]')) {
    select.addEventListener('change', () => select.form.requestSubmit());
  }

  const caseOf = document.querySelector('[data-case]');
  if (caseOf) {
    const key = 'cited ' + caseOf.dataset.case;
    const cited = () => (sessionStorage.getItem(key) || '').split(' ').filter(Boolean);
    for (const button of document.querySelectorAll('button.cite')) {
      const show = () => {
        const is = cited().includes(button.value);
        button.setAttribute('aria-pressed', is);
        button.textContent = is ? 'cited' : 'cite';
      };
      button.hidden = false;
      show();
      button.addEventListener('click', () => {
        const others = cited().filter((id) => id !== button.value);
        sessionStorage.setItem(key, (others.length < cited().length ? others : [...others, button.value]).join(' '));
        show();
      });
    }
    const because = document.querySelector('input[name=because]');
    if (because && !because.value) { because.value = cited().join(' '); }
  }

  const film = document.getElementById('film');
  if (film) {
    const play = document.getElementById('play');
    const covers = [...document.querySelectorAll('.cover')];
    const lines = [...document.querySelectorAll('.now')];
    const show = () => {
      const x = Number(film.value);
      for (const cover of covers) { cover.setAttribute('x', x); cover.setAttribute('width', 1000 - x); }
      for (const line of lines) { line.setAttribute('x1', x); line.setAttribute('x2', x); }
    };
    let playing = false;
    let last = 0;
    const step = (now) => {
      if (!playing) { return; }
      film.value = Number(film.value) + (now - last) / 10;
      last = now;
      show();
      if (Number(film.value) >= 1000) { playing = false; play.textContent = 'Play again'; return; }
      requestAnimationFrame(step);
    };
    film.parentElement.hidden = false;
    film.addEventListener('input', show);
    play.addEventListener('click', () => {
      playing = !playing;
      play.textContent = playing ? 'Stop' : 'Go on';
      if (playing) {
        if (Number(film.value) >= 1000) { film.value = 0; }
        last = performance.now();
        requestAnimationFrame(step);
      }
    });
    show();
  }
})();
