export { type BrandPlans, type Plan, readPlans } from './plans.ts';
export { helperRoutes } from './routes.ts';
