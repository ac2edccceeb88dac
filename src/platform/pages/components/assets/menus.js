// Menus of the frame lie above the page. They close by Escape, and when the keyboard leaves them.

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
