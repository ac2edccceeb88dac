<?php

return ['language' => 'es_ES'] + require __DIR__ . '/recaudo-es_AR.l10n.php';
