/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { paymentRequestAnswer } from './answers.ts';
export { shownItem } from './documents/coupon-of.ts';
export { type Coupons, createCoupons } from './documents/coupons.ts';
export { type ReceiptDocument, renderReceipt } from './documents/receipt.ts';
export { documentRoutes } from './documents/routes.ts';
export { barcodeShape } from './documents/shapes.ts';
export { unsubscribeRoutes } from './mails/unsubscribe/routes.ts';
export { paymentRequestRoutes } from './routes.ts';
