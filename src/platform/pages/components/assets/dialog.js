// Opens confirmation pages as dialogs above the current page.

/** Fetches a dialog's content. Returns null if the response is another page, such as a sign-in. */
async function questionOf(href) {
  const answer = await fetch(href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return null;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const content = page.querySelector('[data-dialog-content]');
  return content && document.importNode(content, true);
}

function show(content, changed) {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog-frame';
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  // The dialog element has the label now.
  content.removeAttribute('aria-labelledby');
  dialog.append(content);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    const away = event.target === dialog;
    if (!away && !event.target.closest('[data-dialog-close]')) return;
    event.preventDefault();
    dialog.close();
  });
  document.body.append(dialog);
  changed(dialog);
  dialog.showModal();
}

/** Handles every marked link, also those added later; calls `changed` with new content. */
export function openDialogs(changed) {
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[data-dialog]');
    const otherwise = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || otherwise || event.defaultPrevented) return;
    event.preventDefault();
    const content = await questionOf(link.href).catch(() => null);
    if (content) show(content, changed);
    else location.assign(link.href);
  });
}
