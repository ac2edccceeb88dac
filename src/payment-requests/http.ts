/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { paymentRequestAnswer } from './answers.ts';
export { drawApart } from './documents/apart.ts';
export { couponItem } from './documents/coupon-of.ts';
export { type Coupons, createCoupons } from './documents/coupons.ts';
export type { ReceiptDocument } from './documents/receipt.ts';
export { documentRoutes } from './documents/routes.ts';
export { unsubscribeRoutes } from './mails/unsubscribe/routes.ts';
export { paymentRequestRoutes } from './routes.ts';

/** Loads the barcode drawing on first use. */
export const loadBars = async () => (await import('./documents/shapes.ts')).barcodeShape;
