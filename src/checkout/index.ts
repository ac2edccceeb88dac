export { checkoutScripts } from './assets.ts';
export { homeRoutes } from './home.tsx';
export { checkoutRoutes } from './routes.ts';
