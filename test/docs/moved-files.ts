import { cbu } from '../harness/builders/mandates.ts';

const owed = (id: number, day: string) => ({
  ...{ id, state: 'pending', description: 'Cuota', first_due_date: day, first_total: 1430.5 },
});

/** Returns the files of docs/how-to/move-in.md by name, due on this day. */
export const movedFiles = (day: string): Record<string, string> => ({
  'requests.json': JSON.stringify({
    data: [{ ...owed(41, day), type: 'payment_request', payer_name: 'Ana Pérez' }],
  }),
  'mandates.csv': [
    'id,adhesion_holder_name,email,description,short_description,cbu_number,cbu_holder_name,cbu_holder_id_number,external_reference,signed_at,evidence_text,evidence_address,evidence_user_agent',
    `7,Ana Pérez,ana@example.com,Cuota social,Cuota,${cbu},Ana Pérez,20055361682,socio-7,31-03-2024,Autorizo a debitar.,,`,
  ].join('\n'),
  'debits.json': JSON.stringify({
    data: [{ ...owed(42, day), type: 'debit_request', adhesion_id: 7 }],
  }),
  'codes.json': JSON.stringify([
    {
      ...{ id: '0A1B2C3D-club7', status: 'Pending', description: 'Cuota', payer_name: 'Ana' },
      ...{ first_due_date: day, first_total: 100, multiple_payment: false },
    },
  ]),
});
