/** The online channels that the simulator answers. */
export const simulatedCodes = ['credit_card', 'debit_card', 'DEBIN', 'qr'] as const;
