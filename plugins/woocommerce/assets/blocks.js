// Registers the payment method in the block checkout. It shows only a title and a text, because
// payers pay on another site.
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
