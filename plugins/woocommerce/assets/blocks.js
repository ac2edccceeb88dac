// The payment method in the checkout of blocks: a title and a text, since the payer leaves the shop.
(() => {
  const { createElement } = window.wp.element;
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry;
  const { title, description, supports } = window.wc.wcSettings.getPaymentMethodData('recaudo', {});
  const content = createElement('div', null, description);
  registerPaymentMethod({
    name: 'recaudo',
    label: createElement('span', null, title),
    ariaLabel: title,
    content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: supports ?? ['products'] },
  });
})();
