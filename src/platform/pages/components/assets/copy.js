// Buttons that copy a value. Visible if the page may write to the clipboard.

export function showCopies(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
}

/** Handles every button, including those added later. */
export function heedCopies() {
  document.addEventListener('click', async (event) => {
    const button = event.target.closest?.('[data-copy]');
    if (!button) return;
    const { copy, done, failed } = button.dataset;
    const outcome = navigator.clipboard.writeText(copy).then(
      () => done,
      () => failed,
    );
    button.textContent = await outcome;
  });
}
