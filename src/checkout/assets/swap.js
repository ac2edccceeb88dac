/** Replaces this page with the page in a response. Keeps the input and the open channel. */
export function showPage(html) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  const open = document.querySelector('details.channel[open]')?.id;
  const typed = new Map(
    [...document.querySelectorAll('input[id], select[id]')].map((one) => [one.id, one.value]),
  );
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  document.body.replaceWith(next.body);
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  if (open) document.getElementById(open)?.setAttribute('open', '');
  document.dispatchEvent(new Event('page'));
}

/** Loads the page in the other language without navigating. */
async function switchLanguage(link) {
  const answer = await fetch(link.href, { signal: AbortSignal.timeout(5_000) });
  if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
  showPage(await answer.text());
  history.replaceState(null, '', link.href);
  document.querySelector('.language')?.focus();
}

/** Makes the language link keep the input; if that fails, it stays a plain link. */
export function keepTyped(link) {
  link.addEventListener('click', (event) => {
    if (document.querySelector('form[data-check]') === null) return;
    event.preventDefault();
    switchLanguage(link).catch(() => location.assign(link.href));
  });
}
