import { CopyButton } from '../../base/components/CopyButton';
import { Icon } from '../../base/components/Icon';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { addressesOf } from '../fields/MarkdownField';
import type { Operation } from '../properties';
import { guestPageOf, pageAddress, saysAddress, type GuestPage } from './guestPage';

/** Address of a trigger: its page for guests, or its webhook unless a description of the piece contains it. */
export function Addresses({ operation }: { operation: Operation }) {
  const page = guestPageOf(operation);
  return page ? (
    <OpenPage page={page} />
  ) : operation.type === 'WEBHOOK' && !saysAddress(operation) ? (
    <WebhookAddress />
  ) : null;
}

function OpenPage({ page }: { page: GuestPage }) {
  const { builder } = useBuilder();
  const flow = useStore(builder.store, (now) => now.flow);
  const { formUrl, chatUrl } = addressesOf(flow.id);
  const address = pageAddress(page === 'form' ? formUrl : chatUrl, flow.publishedVersionId !== null);
  return (
    <div class="row">
      <a class="button" href={address} target="_blank" rel="noopener" data-open-page={page}>
        <Icon name="external-link" />
        {t(`panel.open.${page}`)}
      </a>
      <CopyButton text={address} />
      {flow.publishedVersionId === null ? <span class="help">{t('panel.open.draft')}</span> : null}
    </div>
  );
}

function WebhookAddress() {
  const { builder } = useBuilder();
  const { webhookUrl } = addressesOf(builder.store.get().flow.id);
  return (
    <div class="field">
      <div class="label">{t('panel.address')}</div>
      <div class="copyable">
        <code class="cut" data-address>
          {webhookUrl}
        </code>
        <CopyButton text={webhookUrl} />
      </div>
      <div class="help">{t('panel.addressHelp')}</div>
      <details>
        <summary>{t('panel.otherAddresses')}</summary>
        {[
          ['/sync', 'panel.address.sync'],
          ['/draft', 'panel.address.draft'],
          ['/test', 'panel.address.test'],
        ].map(([suffix, text]) => (
          <div key={suffix} class="other-address">
            <span class="help">{t(text as 'panel.address.sync')}</span>
            <div class="copyable">
              <code class="cut">{webhookUrl + suffix}</code>
              <CopyButton text={webhookUrl + suffix} />
            </div>
          </div>
        ))}
      </details>
    </div>
  );
}
