import { t } from '../../base/text';
import { Loaded } from '../Loaded';
import { PlatformPage } from '../PlatformPage';
import { usePlatform } from '../usePlatform';
import { BrandingForm } from './BrandingForm';

export default function BrandingPage() {
  return <PlatformPage title={t('branding.title')}>{() => <Branding />}</PlatformPage>;
}

function Branding() {
  const { platform, change } = usePlatform();
  return <Loaded query={platform}>{(known) => <BrandingForm platform={known} change={change} />}</Loaded>;
}
