import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { usePlatform } from '../usePlatform';
import { Domains } from './Domains';
import { OidcPanel } from './OidcPanel';
import { SamlPanel } from './SamlPanel';
import { SsoDomainPanel } from './SsoDomainPanel';
import { Ways } from './Ways';

export default function SignOnPage() {
  return <PlatformPage title={t('signOn.title')}>{() => <SignOn />}</PlatformPage>;
}

function SignOn() {
  const { platform, change } = usePlatform();
  return (
    <Loaded query={platform}>
      {(known) => (
        <>
          <Ways platform={known} change={change} />
          <Domains platform={known} change={change} />
          <SsoDomainPanel platform={known} change={change} put={(value) => platform.put(() => value)} />
          <OidcPanel platform={known} change={change} />
          <SamlPanel platform={known} change={change} />
        </>
      )}
    </Loaded>
  );
}
