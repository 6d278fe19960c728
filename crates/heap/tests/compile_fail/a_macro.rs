use everypath_heap::subject;

#[subject]
mod subject {
    struct Root {
        value: Int,
        next: Ref<Node>,
    }

    struct Node {
        next: Ref<Node>,
    }

    impl Root {
        #[call]
        fn print(self) {
            println!("{}", self.value);
        }
    }
}

fn main() {}
