import { defineService } from '../define-service.js';

export const PAYMENT = defineService({
  id: 'payment',
  name: 'Payment',
  provider: 'Stripe',
  category: 'billing',
  description: 'Payment of plans by card and invoice.',
  orgFields: {},
  userFields: {},
  guide: () => ({
    instructions: 'Payment is set up by the operator of this installation; plans and invoices are found under billing.',
    snippets: [],
  }),
});
