document.title = "pail";
