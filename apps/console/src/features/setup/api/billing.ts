import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';

export const INVOICES_PAGE_SIZE = 50;

/** Plan, available plans and invoices; empty lists if nothing is sold. */
export const billingQuery = (page: number) => {
  const query = { limit: INVOICES_PAGE_SIZE, offset: (page - 1) * INVOICES_PAGE_SIZE };
  return queryOptions({
    queryKey: ['billing', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/billing/history', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

/** Opens the checkout of a plan. The provider returns to the page of billing. */
export const useCheckout = () =>
  useMutation({
    mutationFn: (planId: string) =>
      unwrap(api.GET('/api/billing/getcheckoutsession', { params: { query: { plan_id: planId } } })),
    onSuccess: ({ url }) => location.assign(url),
  });

/** Opens the pages of the provider for changing the plan and the card. */
export const usePortal = () =>
  useMutation({
    mutationFn: () => unwrap(api.GET('/api/billing/getportalsession')),
    onSuccess: ({ url }) => location.assign(url),
  });
