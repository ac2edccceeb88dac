export { type BrandPlans, type Plan, readPlans } from './plans.ts';
export { planRoutes } from './routes.ts';
