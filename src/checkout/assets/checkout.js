// Progressive enhancement: only some acquirers' card frames need scripts.
import { names } from './brand.js';
import { cardFrame, stepFrame } from './frame.js';
import { keepTyped, showPage } from './swap.js';

/**
 * Returns a function that shows a card's brand and offers only its installments, or null for forms
 * without brands.
 */
function brandShown(form) {
  const note = form.querySelector('[data-brand-note]');
  if (!note) return null;
  const select = form.querySelector('[name=installments]');
  const groups = select ? [...select.querySelectorAll('optgroup')] : [];
  const marks = [...form.querySelectorAll('[data-mark]')];
  let shown = null;

  return (told) => {
    const brand = Object.hasOwn(names, told ?? '') ? told : null;
    if (brand === shown) return;
    shown = brand;
    const offered = groups.filter((group) => !brand || (group.dataset.brand ?? brand) === brand);
    const refused = brand && groups.length > 0 && offered.length === 0;
    const label = refused ? note.dataset.refused : note.dataset.label;
    note.textContent = brand ? `${label}: ${names[brand]}` : '';
    for (const mark of marks) mark.classList.toggle('dim', brand && mark.dataset.mark !== brand);
    // Some browsers still show hidden option groups, so remove them.
    for (const group of groups) group.remove();
    select?.append(...(refused ? groups : offered));
    if (!select) return;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    const plans = offered.flatMap((group) => [...group.querySelectorAll('option')]);
    if (brand && plans.length === 1 && select.value === '') plans[0].selected = true;
    select.dispatchEvent(new Event('input', { bubbles: true }));
  };
}

/** Narrow screens truncate the chosen option, so repeat it in full below, and on the button. */
function showChosen(form) {
  const select = form.querySelector('[name=installments]');
  const note = form.querySelector('[data-chosen]');
  if (!select || !note) return;
  const button = form.querySelector('button[type=submit]');
  const label = button.textContent;
  const show = () => {
    const chosen = select.value === '' ? null : select.selectedOptions[0];
    note.textContent = chosen?.textContent ?? '';
    button.textContent = chosen?.dataset.submit ?? label;
  };
  form.addEventListener('input', show);
  show();
}

/**
 * Validates a form at the server. If it has faults, shows the server's page with them and returns
 * false. Returns true in all other cases, even if the server does not respond.
 */
async function isSound(form) {
  const answer = await fetch(form.dataset.check, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null);
  if (answer?.status !== 400) return true;
  showPage(await answer.text());
  return false;
}

/** Disables the button while the form is validated and sent. Gets the card from its frame first. */
function sendOnce(form) {
  const button = form.querySelector('button[type=submit]');
  const frame = cardFrame(form, { onBrand: brandShown(form) });
  let label = button.textContent;
  const release = () => {
    button.disabled = false;
    button.textContent = label;
  };
  form.addEventListener('submit', (event) => {
    label = button.textContent;
    button.disabled = true;
    button.textContent = form.dataset.busy;
    if (frame) {
      event.preventDefault();
      void frame.ask().then((given) => (given ? form.submit() : release()));
      return;
    }
    if (!form.dataset.check) return;
    event.preventDefault();
    void isSound(form).then((sound) => sound && form.submit());
  });
  // A page restored from the browser's history can be sent again.
  addEventListener('pageshow', (event) => {
    if (event.persisted) release();
  });
}

function copies(button) {
  if (!navigator.clipboard) return;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, done, failed } = button.dataset;
    const outcome = navigator.clipboard.writeText(copy).then(
      () => done,
      () => failed,
    );
    button.textContent = await outcome;
    button.addEventListener('blur', () => (button.textContent = label), { once: true });
  });
}

/** Makes the button show the barcode full screen, in landscape, and keep the screen on. */
function fillsScreen(button) {
  const { documentElement: page } = document;
  if (!page.requestFullscreen) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await page.requestFullscreen().catch(() => {});
    await screen.orientation?.lock?.('landscape').catch(() => {});
    await navigator.wakeLock?.request('screen').catch(() => {});
  });
}

/** A link to a field inside a closed section opens the section first. */
function opensSection(link) {
  link.addEventListener('click', () => {
    const field = document.getElementById(link.hash.slice(1));
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}

const all = (selector) => document.querySelectorAll(selector);

function enhance() {
  for (const form of all('form[data-once]')) {
    sendOnce(form);
    showChosen(form);
  }
  for (const button of all('[data-copy]')) copies(button);
  for (const button of all('[data-full-screen]')) fillsScreen(button);
  for (const button of all('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
  for (const frame of all('iframe[data-step]')) stepFrame(frame);
  for (const link of all('.faults a')) opensSection(link);
  for (const link of all('a.language')) keepTyped(link);
  document.querySelector('[data-focus]')?.focus();
}

enhance();
document.addEventListener('page', enhance);
