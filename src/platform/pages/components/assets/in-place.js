// Updates filtered lists, list pages and the progress of work without leaving the page.

const place = () => document.getElementById('content');

/** Returns the page's address without the fragment, which loads nothing. */
const address = () => location.pathname + location.search;
let shown = address();

/** Fetches a page. Returns null if the browser must navigate to it, as to a sign-in. */
async function pageAt(href, signal) {
  const answer = await fetch(href, { headers: { accept: 'text/html' }, signal });
  if (!answer.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return page.getElementById('content') && page;
}

/** Finds the element in the new part that matches the focused one in the old. */
function sameIn(fresh, held) {
  if (held.id) return fresh.querySelector(`#${CSS.escape(held.id)}`);
  const alike = [...fresh.querySelectorAll(held.localName)];
  return alike.find((one) => one.textContent === held.textContent);
}

/** Replaces an element. If it had the focus, moves the focus to the new one. */
function put(old, fresh, changed) {
  const held = old.contains(document.activeElement) && document.activeElement;
  old.replaceWith(fresh);
  changed(fresh);
  if (!held) return;
  const next = (held === old ? fresh : sameIn(fresh, held)) ?? place();
  next.focus({ preventScroll: true });
}

function show(page, changed) {
  document.title = page.title;
  put(place(), document.importNode(page.getElementById('content'), true), changed);
}

let asked = null;

async function goTo(href, focus, changed) {
  asked?.abort();
  const mine = new AbortController();
  asked = mine;
  place().setAttribute('aria-busy', 'true');
  try {
    const page = await pageAt(href, mine.signal);
    if (!page) return location.assign(href);
    history.pushState({ inPlace: true }, '', href);
    shown = address();
    show(page, changed);
    (document.querySelector(focus) ?? place()).focus({ preventScroll: true });
  } catch {
    if (!mine.signal.aborted) location.assign(href);
  } finally {
    if (asked === mine) place().removeAttribute('aria-busy');
  }
}

/** Returns the address that a GET form requests, without empty fields. */
function addressOf(form) {
  const sent = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(sent).toString();
  const { origin, pathname } = new URL(form.action);
  return `${origin}${pathname}${query && `?${query}`}`;
}

/** Handles filters and links of lists. Calls `changed` with new content. */
export function stayInPlace(changed) {
  document.addEventListener('submit', (event) => {
    if (!event.target.matches('form.filter-form')) return;
    event.preventDefault();
    goTo(addressOf(event.target), 'form.filter-form button[type=submit]', changed);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('.pager a, .chips a');
    const otherwise = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || otherwise || event.defaultPrevented) return;
    event.preventDefault();
    goTo(link.href, '#content', changed);
  });
  addEventListener('popstate', () => {
    if (address() !== shown) location.reload();
  });
}

const longestPauseMs = 30_000;
let nextLook;

/**
 * Reloads work in progress every `data-live` seconds until it is done. Call it again after
 * replacing a page's content.
 */
export function watchLive(changed) {
  const look = async (pauseMs) => {
    const live = document.querySelector('[data-live]');
    if (!live) return;
    if (document.hidden || place().hasAttribute('aria-busy')) return later(pauseMs);
    const { href } = location;
    const page = await pageAt(href).catch(() => null);
    if (!page) return later(Math.min(pauseMs * 2, longestPauseMs));
    if (location.href !== href || !live.isConnected) return later(pauseMs);
    const now = page.querySelector('[data-live]');
    if (now) put(live, document.importNode(now, true), changed);
    else show(page, changed);
    later(Number(live.dataset.live) * 1000);
  };
  const later = (pauseMs) => {
    clearTimeout(nextLook);
    nextLook = setTimeout(look, pauseMs, pauseMs);
  };
  const first = document.querySelector('[data-live]');
  if (first) later(Number(first.dataset.live) * 1000);
}
