import type { NewAccount } from '../accounts/index.ts';

/** Returns the initial account of a new sandbox. */
export const demoAccount = (id: string | null): NewAccount => ({
  id,
  name: 'Cooperativa de Demostración',
  cuit: '30999999995',
  city: 'Ciudad de Buenos Aires',
});

/** Portal users of a new sandbox. The first is the owner of its account. */
export const demoUsers = [
  { email: 'demo@recaudo.example', name: 'Dolores Demo', role: 'owner', serviceRole: null },
  {
    email: 'operador@recaudo.example',
    name: 'Oscar Operador',
    role: null,
    serviceRole: 'operator',
  },
] as const;
