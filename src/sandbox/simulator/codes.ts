/** Online channels of the simulator. */
export const simulatedCodes = ['credit_card', 'debit_card', 'DEBIN', 'qr'] as const;
