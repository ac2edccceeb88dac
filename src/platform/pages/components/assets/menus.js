// Menus of the frame cover the page. They close on Escape, and when they lose the focus.

const menus = '.menu[open], .dropdown[open]';

export function closeMenus() {
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && event.target.closest?.(menus);
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  document.addEventListener('focusin', (event) => {
    for (const menu of document.querySelectorAll(menus)) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}
