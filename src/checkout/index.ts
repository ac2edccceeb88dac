export { checkoutScripts } from './assets.ts';
export { mailedReceipt } from './documents.ts';
export { homeRoutes } from './home.tsx';
export { type Draft, previewPage } from './preview.ts';
export { checkoutRoutes } from './routes.ts';
