/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { dynamicRoutes } from './dynamic/routes.ts';
export { qrAnswer } from './dynamic/schema.ts';
export { answerAsQrService, qrErrorSchema, sendQrFailure } from './errors/answers.ts';
export { drawQrApart } from './images/apart.ts';
export { imageRoutes } from './images/routes.ts';
export { bulkRoutes } from './imports/routes.ts';
export { uploadRoutes } from './imports/storage/routes-upload.ts';
export { type FoundQrs, findNewestQrs, type QrPlace } from './newest.ts';
export { drawPoster } from './poster/poster-of.ts';
export { resolveRoutes } from './resolve/routes.ts';
export { listStatics } from './static/list.ts';
export {
  listStaticPayments,
  mostTransactions,
  type StaticPayment,
  type StaticPayments,
} from './static/payments.ts';
export { staticRoutes } from './static/routes.ts';
export { staticForm, staticTypes, transactionAnswer } from './static/schema.ts';
