// Buttons that copy a value: they show where the browser lets a page write the clipboard.

/** Shows those of a part of the page. */
export function showCopies(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
}

/** Heeds them all, also those that come later. */
export function heedCopies() {
  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('[data-copy]');
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });
}
