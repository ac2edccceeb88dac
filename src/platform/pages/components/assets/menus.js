// Menus of the frame close by Escape; one that lies above the page also where one goes on from it.

const menus = '.menu[open], .dropdown[open]';

export function closeMenus() {
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && event.target.closest?.(menus);
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  document.addEventListener('focusin', (event) => {
    for (const menu of document.querySelectorAll('.dropdown[open]')) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}
