'use strict';
// All works without it: it loads pages again, and remembers events to cite.
(() => {
  const reload = document.getElementById('reload');
  if (reload) {
    reload.parentElement.hidden = false;
    reload.checked = sessionStorage.getItem('reload') !== 'no';
    reload.addEventListener('change', () => sessionStorage.setItem('reload', reload.checked ? 'yes' : 'no'));
    setInterval(() => {
      // A page that is loaded again takes the keyboard's place away.
      const busy = document.activeElement && document.activeElement !== document.body && document.activeElement !== reload;
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

  // A link that is opened in the tab of this form changes its fragment only.
  if (token) { addEventListener('hashchange', () => location.reload()); }

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
})();
