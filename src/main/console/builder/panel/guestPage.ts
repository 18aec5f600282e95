import type { Operation } from '../properties';

export type GuestPage = 'form' | 'chat';

const says = (operation: Operation, place: string): boolean =>
  Object.values(operation.props).some((property) => property.description?.includes(`{{${place}}}`) ?? false);

export const saysAddress = (operation: Operation): boolean => says(operation, 'webhookUrl');

export const guestPageOf = (operation: Operation): GuestPage | undefined =>
  says(operation, 'formUrl') ? 'form' : says(operation, 'chatUrl') ? 'chat' : undefined;

/** Address of a page; a flow that is not published has the page of its draft. */
export const pageAddress = (address: string, isPublished: boolean): string =>
  isPublished ? address : `${address}?useDraft=true`;
